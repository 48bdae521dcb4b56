import t from 'tap'
import { csvOf, fileName, withFormulas, withoutFormulas } from '#shared/csv.ts'

t.test('escapes a cell that a spreadsheet would run or misread', async (t) => {
  const columns = [{ header: 'Name', value: (text: string) => text }]
  const text = csvOf(columns, ['=1+1', '+1', '-1', '@x', 'a "b", c', 'two\nlines', 'plain', ''])
  t.strictSame(text.split('\r\n'), [
    '\uFEFFName',
    "'=1+1",
    "'+1",
    "'-1",
    "'@x",
    '"a ""b"", c"',
    '"two\nlines"',
    'plain',
    '',
    ''
  ])
  t.equal(csvOf([{ header: 'N', value: () => -4.5 }], [1]), '\uFEFFN\r\n-4.5\r\n', 'does not escape a number')
})

t.test('escapes a formula after every character at which a spreadsheet may split', async (t) => {
  const fieldOf = (text: string) =>
    csvOf([{ header: '', value: () => text }], [1]).slice('\uFEFF\r\n'.length, -'\r\n'.length)
  const cases: [text: string, field: string][] = [
    ['a;=cmd|x', "a;'=cmd|x"],
    ['a,=1', `"a,'=1"`],
    ['a\t=1', "a\t'=1"],
    ['a|@x', "a|'@x"],
    ['a\n+1', `"a\n'+1"`],
    ['a\r\n-1', `"a\r\n'-1"`],
    ['\t=1', "\t'=1"],
    ['＝1', "'＝1"],
    ['a;＋1;－1;＠x', "a;'＋1;'－1;'＠x"],
    ['a; =1', "a; '=1"],
    ['a;"=1"', `"a;'""=1"""`],
    [';;=1;=2', ";;'=1;'=2"]
  ]
  for (const [text, field] of cases) t.equal(fieldOf(text), field, JSON.stringify(text))
  for (const text of ['a=1', 'a-b; c-d', '10 + 5', 'x@y.example; z'])
    t.equal(fieldOf(text), text, `${text}: unchanged`)
})

t.test('a cell of two million spaces or quotes takes no long time', async (t) => {
  // With a time that grows with the square of the length, these would take minutes.
  for (const run of [' '.repeat(2_000_000), '"'.repeat(2_000_000)])
    for (const text of [run, `a${run}`, `;${run}`, `;${run}'`]) {
      t.ok(withoutFormulas(text) === text, `${text[0]}…: unchanged`)
      t.ok(withFormulas(text) === text, `${text[0]}…: unchanged`)
      t.equal(withoutFormulas(`${text}|=1`).slice(-4), "|'=1")
    }
})

t.test('the apostrophes before formulas can be removed again, and no others', async (t) => {
  for (const text of ['=1', 'a;=1;-2', 'a\n@x', 'a, "=1"', "Kitchen Hood 'B'", "'90s wing", ''])
    t.equal(withFormulas(withoutFormulas(text)), text)
})

t.test('file names contain only characters that every system accepts', async (t) => {
  t.equal(fileName(['Devices', 'Müller & Söhne / Tower'], 'csv'), 'devices-muller-sohne-tower.csv')
  t.equal(fileName(['///'], 'csv'), 'export.csv')
})
