import { describe, expect, it } from 'vitest';
import { promptNames } from '../../../src/domain/lists/person.ts';

describe('the names of a prompt', () => {
  it.each([
    ['Hello {{first_name}}, your {{ plan }}. {{first_name}}!', ['first_name', 'plan']],
    ['{{First Name}} {{ größe }} {{customer.name}}', ['First Name', 'größe', 'customer.name']],
    ['{{ plan | default: "yours" }} {{name|default}} {{ tone | upcase }}', ['tone']],
    ['{{plan | default: x}} and {{plan}}', ['plan']],
    ['{{#if plan}}{{else}}{{/if}} {{! note }} {{> part}} {{ }} {{}} {single} {{1}}', []],
    ['Be kind.', []],
  ])('in double braces: %s', (prompt, names) => {
    expect(promptNames(prompt, '{{name}}')).toEqual(names);
  });

  it.each([
    ['Hello {first_name}, { plan }.', ['first_name', 'plan']],
    ['Answer {"ok": true} or {} or {a b} or {1}.', []],
  ])('in single braces, which JSON has, too: %s', (prompt, names) => {
    expect(promptNames(prompt, '{name}')).toEqual(names);
  });

  it('are not those that the service fills in itself', () => {
    const own = ['telnyx_*', 'call_id'];
    const prompt = '{{telnyx_current_time}} {{call_id}} {{call_id2}} {{plan}}';
    expect(promptNames(prompt, '{{name}}', own)).toEqual(['call_id2', 'plan']);
  });

  // In quadratic time the first of them takes minutes.
  it.each(['{{a' + ' '.repeat(400_000), '{{ '.repeat(100_000), '{{a|'.repeat(100_000)])(
    'take linear time to find',
    (prompt) => {
      expect(promptNames(prompt, '{{name}}')).toEqual([]);
      expect(promptNames(prompt, '{name}')).toEqual([]);
    },
  );
});
