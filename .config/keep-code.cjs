// Required before dist/bin/callsheet.js: keeps the code that V8 makes of the program's files beside them.
const { readFileSync, writeFileSync } = require('node:fs');
const vm = require('node:vm');
const { crc32 } = require('node:zlib');

const scripts = [];
vm.Script = class extends vm.Script {
  constructor(text, options) {
    super(text, options);
    scripts.push({ script: this, ...options });
  }
};
process.on('exit', () => {
  for (const { script, filename } of scripts) {
    const code = script.createCachedData();
    const check = Buffer.alloc(4);
    const text = readFileSync(filename);
    check.writeUInt32LE(crc32(code, crc32(text, crc32(process.arch))));
    writeFileSync(`${filename}.code`, Buffer.concat([code, check]));
  }
});
