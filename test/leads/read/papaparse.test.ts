import { describe, expect, test } from 'vitest';
import { readTable } from '../columns/read-table.ts';

/** The cases of PapaParse's tests/test-cases.js that concern an importer, under their names; the texts are our own. */

type Case = [name: string, text: string, rows: string[]];

describe('read as PapaParse reads them', () => {
  test.each<Case>([
    ['One row', 'Al,b,c', ['Al|b|c']],
    ['Whitespace at edges of unquoted field', 'a,  b ,c', ['a|  b |c']],
    ['Quoted field with extra whitespace on edges', 'Al," Bo  ",C', ['Al| Bo  |C']],
    ['Quoted fields with line breaks', 'Al,"B\no","C\ny\nd"', ['Al|B\no|C\ny\nd']],
    [
      'Quoted fields at end of row with delimiter and line break',
      'a,b,"c,c\nc"\nd,e,f',
      ['a|b|c,c\nc', 'd|e|f'],
    ],
    ['Quoted field with escaped quotes', 'Al,"B""o""o",C', ['Al|B"o"o|C']],
    ['Quoted field with escaped quotes at boundaries', 'Al,"""Bo""",C', ['Al|"Bo"|C']],
    ['Unquoted field with quotes at end of field', 'Al,Bo",C', ['Al|Bo"|C']],
    ['Quoted field with quotes around delimiter', 'Al,""",""",C', ['Al|","|C']],
    ['Quoted field with quotes on right side of delimiter', 'Al,",""",C', ['Al|,"|C']],
    ['Quoted field with quotes on left side of delimiter', 'Al,""",",C', ['Al|",|C']],
    [
      'Quoted field with 5 quotes in a row and a delimiter in there, too',
      '"1","key="""",c=""""","2"',
      ['1|key="",c=""|2'],
    ],
    ['Quoted field with whitespace around quotes', 'Al, "Bo" ,C', ['Al| "Bo" |C']],
    ['Misplaced quotes in data, not as opening quotes', 'Al,B "o",C', ['Al|B "o"|C']],
    [
      'Misplaced quotes in data twice, not as opening quotes',
      'Al,B",C\nD,E",F',
      ['Al|B"|C', 'D|E"|F'],
    ],
    ['Quoted field has valid trailing quote via EOF', 'a,b,c\nd,e,"f"', ['a|b|c', 'd|e|f']],
    [
      'Quoted field contains delimiters and \\n with valid trailing quote',
      'a,"b,c\nd,e,f"',
      ['a|b,c\nd,e,f'],
    ],
    ['Line starts with unquoted empty field', ',b,c\n"d",e,f', ['|b|c', 'd|e|f']],
    ['Line ends with quoted field', 'a,b,c\nd,e,f\n"g","h","i"\n', ['a|b|c', 'd|e|f', 'g|h|i']],
    [
      'Line ends with quoted field, first field of next line is empty, \\n',
      'a,b,c\nd,e,"f"\n,"h","i"\n,"k","l"',
      ['a|b|c', 'd|e|f', '|h|i', '|k|l'],
    ],
    [
      'Quoted field at end of row (but not at EOF) has quotes',
      'a,b,"c""c"""\nd,e,f',
      ['a|b|c"c"', 'd|e|f'],
    ],
    ['Empty quoted field at EOF is empty', 'a,b,""\na,b,""', ['a|b|', 'a|b|']],
    ['Multiple consecutive empty fields', 'a,b,,,c,d\n,,e,,,f', ['a|b|||c|d', '||e|||f']],
    ['Input is just the delimiter (2 empty fields)', ',', ['|']],
    ['Input is just empty fields', ',,\n,,,', ['||', '|||']],
    [
      'Input with only a commented line, without comments enabled',
      '#not a comment',
      ['#not a comment'],
    ],
    ['Input without comments with line starting with whitespace', 'a\n b\nc', ['a', ' b', 'c']],
    ['Multiple rows, one column (no delimiter found)', 'a\nb\nc\nd', ['a', 'b', 'c', 'd']],
    ['Two rows, just \\r', 'Al,b\rd,E', ['Al|b', 'd|E']],
    ['Two rows, \\r\\n', 'Al,b\r\nd,E', ['Al|b', 'd|E']],
    ['Quoted field with \\r\\n', 'Al,"B\r\no",C', ['Al|B\r\no|C']],
    ['Quoted field with \\r', 'Al,"B\ro",C', ['Al|B\ro|C']],
    [
      'Row with enough fields but blank field in the begining',
      'A,B\r\n,b1\r\n,b2',
      ['A|B', '|b1', '|b2'],
    ],
    ['Tab delimiter', 'a\tb\tc\nd\te\tf', ['a|b|c', 'd|e|f']],
    ['Pipe delimiter', 'a|b|c\nd|e|f', ['a|b|c', 'd|e|f']],
    [
      'Pipe delimiter is guessed correctly when mixed with comas',
      'one|two,two|three\nfour|five,five|six',
      ['one|two,two|three', 'four|five,five|six'],
    ],
    [
      'Pipe delimiter is guessed correctly when first field are enclosed in quotes and contain delimiter characters',
      '"Field1,1,1";"Field2"\n"a,b,c";"d"',
      ['Field1,1,1|Field2', 'a,b,c|d'],
    ],
    [
      'Carriage return in header inside quotes, with line feed endings',
      '"a\r\na","b"\n"c","d"',
      ['a\r\na|b', 'c|d'],
    ],
    [
      'Line feed in header inside quotes, with carriage return + line feed endings',
      '"a\na","b"\r\n"c","d"',
      ['a\na|b', 'c|d'],
    ],
    [
      'Using \\r\\n endings with \\n in header field uses \\r\\n linebreak',
      '"a\n",b\r\nc,d',
      ['a\n|b', 'c|d'],
    ],
  ])('%s', async (_, text, rows) => {
    expect(await readTable(text)).toEqual(rows);
  });
});

describe('read otherwise, so that nobody is lost or made up', () => {
  test.each<Case>([
    // A lost quote takes no row with it where the row can be read without.
    [
      'Quoted field has invalid trailing quote after delimiter',
      'a,"b,"c\nd,e,f',
      ['a|"b,"c', 'd|e|f'],
    ],
    [
      'Quoted field has invalid trailing quote before delimiter',
      'a,"b"c,d\ne,f,g',
      ['a|"b"c|d', 'e|f|g'],
    ],
    [
      'Quoted field has invalid trailing quote after delimiter with a valid closer',
      '"a,"b,c"\nd,e,f',
      ['"a,"b|c"', 'd|e|f'],
    ],
    // Cells are kept as they are written.
    [
      'Quoted fields with spaces between closing quote and next delimiter',
      'A,"B" ,C\r\nD,"E"  ,F',
      ['A|"B" |C', 'D|"E"  |F'],
    ],
    [
      'Quoted fields with spaces between closing quote and next delimiter and contains delimiter',
      'A,",B" ,C,D\nE,F,G,H',
      ['A|",B" |C|D', 'E|F|G|H'],
    ],
    // Each line end ends a row, whatever the first one was; a blank line is none.
    [
      'Mixed slash n and slash r should choose first as precident',
      'a,b\nc,d\re,f\n',
      ['a|b', 'c|d', 'e|f'],
    ],
    ['One column input with empty fields', 'a\nb\n\n\nc\n', ['a', 'b', 'c']],
    ['Blank line at beginning', '\r\na,b\r\nc,d', ['a|b', 'c|d']],
    ['Blank line in middle with whitespace', 'a,b\r\n \r\nc,d', ['a|b', 'c|d']],
    // A row of empty cells is somebody whose number is missing.
    [
      "Parsing with skipEmptyLines set to 'greedy'",
      'a,b\n\n,\n"",""\nc,d',
      ['a|b', '|', '|', 'c|d'],
    ],
    // No spreadsheet writes another quote than ".
    ['Single quote as quote character', "a,'b,c'", ["a|'b|c'"]],
    ['Custom escape character in the middle', 'a,"b\\"c\\"d"', ['a|"b\\"c\\"d"']],
  ])('%s', async (_, text, rows) => {
    expect(await readTable(text)).toEqual(rows);
  });

  test.each([
    ['Quoted field has no closing quote', 'a,"b,c\nd,e,f', 1],
    [
      'Quoted fields with spaces between closing quote and newline and contains newline',
      'x,y\na,"c\n" \nd,e',
      2,
    ],
  ])('%s is refused with its line', async (_, text, line) => {
    await expect(readTable(text)).rejects.toThrow(`line ${line} opens a quote that is not closed`);
  });
});
