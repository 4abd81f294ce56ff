#!/usr/bin/env node
// Loads the packed program. Beside each of its files is the code that V8 made of it at the build, which saves 100 ms.
// Its last four bytes are the CRC-32 of both and of the architecture, as V8 does not see whether it is damaged, of another
// machine or of another text of the same length; V8 of another version refuses it. Then the file is compiled.
'use strict';
const { readFileSync } = require('node:fs');
const { wrap } = require('node:module');
const { join } = require('node:path');
const { Script } = require('node:vm');
const { crc32 } = require('node:zlib');

const loaded = new Map();

load('./callsheet.cjs');

function load(name) {
  const known = loaded.get(name);
  if (known !== undefined) return known.exports;
  const filename = join(__dirname, name);
  const text = readFileSync(filename);
  const options = { filename, cachedData: codeOf(filename, text) };
  const run = new Script(wrap(text.toString()), options).runInThisContext();
  const requires = Object.assign((id) => (id.startsWith('./') ? load(id) : require(id)), require);
  const module = { exports: {} };
  loaded.set(name, module);
  try {
    run.call(module.exports, module.exports, requires, module, filename, __dirname);
  } catch (error) {
    loaded.delete(name);
    throw error;
  }
  return module.exports;
}

function codeOf(filename, text) {
  try {
    const kept = readFileSync(`${filename}.code`);
    const code = kept.subarray(0, -4);
    return crc32(code, crc32(text, crc32(process.arch))) === kept.readUInt32LE(code.length)
      ? code
      : undefined;
  } catch {
    return undefined;
  }
}
