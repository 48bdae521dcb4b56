import t from 'tap'
import { BULK_EDIT } from '#client/features/sites/devices/bulk-edit/messages.ts'
import { bytesOf, FileRefused, rowsOf } from '#client/features/sites/devices/bulk-edit/read-file.ts'
import { BULK_EDIT_FILE_MAX_MB, BULK_EDIT_ROWS_MAX } from '#client/lib/limits.ts'

const HEADER = 'Device UUID,Name,Location,Project,Version'
const ROW = 'uuid-1,AHU-1,Level 1,Tower,v1234567'
const encoded = (text: string) => new TextEncoder().encode(text)
const rowsOfText = async (text: string) => (await rowsOf(encoded(text))).rows

function utf16(text: string, isBigEndian: boolean): Uint8Array {
  const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le')
  return isBigEndian ? bytes.swap16() : bytes
}

const REFUSED: [name: string, bytes: Uint8Array, reason: string][] = [
  ['an Excel workbook', encoded('PK\u0003\u0004…'), BULK_EDIT.workbook],
  ['an old Excel workbook', new Uint8Array([0xd0, 0xcf, 0x11, 0xe0]), BULK_EDIT.workbook],
  ['a picture', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]), BULK_EDIT.unreadable],
  ['UTF-16 without a mark', Buffer.from(HEADER, 'utf16le'), BULK_EDIT.unreadable],
  ['UTF-16 that ends in half a character', new Uint8Array([0xff, 0xfe, 0x41]), BULK_EDIT.unreadable],
  ['no bytes', encoded(''), BULK_EDIT.empty],
  ['blank lines only', encoded('\r\n ,,,\r\n'), BULK_EDIT.empty],
  ['a header only', encoded(`${HEADER}\r\n,,,,\r\n`), BULK_EDIT.noRows],
  [
    'a file without a column',
    encoded('Device UUID,Name,Location,Project\r\nuuid-1,AHU-1,Level 1,Tower'),
    BULK_EDIT.missingColumns(['Version'])
  ],
  [
    'a file without its first row',
    encoded(ROW),
    BULK_EDIT.missingColumns(['Device UUID', 'Name', 'Location', 'Project', 'Version'])
  ],
  ['a file with a column twice', encoded(`${HEADER},name\r\n${ROW},x`), BULK_EDIT.doubleColumn('Name')],
  [
    'more rows than the limit',
    encoded([HEADER, ...Array(BULK_EDIT_ROWS_MAX + 1).fill(ROW)].join('\n')),
    BULK_EDIT.tooManyRows('5,000')
  ]
]

for (const [name, bytes, reason] of REFUSED)
  t.test(`refuses ${name}`, async (t) => {
    await t.rejects(rowsOf(bytes), new FileRefused(reason))
  })

t.test('refuses a file that is too large before it reads it', async (t) => {
  const max = BULK_EDIT_FILE_MAX_MB * 1_000_000
  const fileOf = (size: number) => new File([new Uint8Array(size)], 'devices.csv')
  await t.rejects(bytesOf(fileOf(max + 1)), new FileRefused(BULK_EDIT.tooLarge(BULK_EDIT_FILE_MAX_MB)))
  t.equal((await bytesOf(fileOf(max))).length, max)
})

t.test('a row with more cells than columns is refused; empty cells at the end are none', async (t) => {
  const [first, second, third] = await rowsOfText(`${HEADER}\n${ROW},lost\n${ROW},,\nuuid-1,AHU-1`)
  t.equal(first?.problem, BULK_EDIT.tooManyCells(6, 5))
  t.equal(second?.problem, null)
  t.match(third, { deviceName: 'AHU-1', location: '', version: '', problem: null })
})

t.test('a row with wrong quotes is refused', async (t) => {
  const [first, second] = await rowsOfText(`${HEADER}\n${ROW}\nuuid-2,"AHU-2,Level 1,Tower,v1234567\n${ROW}`)
  t.equal(first?.problem, null)
  t.equal(second?.problem, BULK_EDIT.wrongQuotes)
})

t.test('reads as many rows as the limit', async (t) => {
  const text = [HEADER, ...Array(BULK_EDIT_ROWS_MAX).fill(ROW)].join('\n')
  t.equal((await rowsOfText(text)).length, BULK_EDIT_ROWS_MAX)
})

t.test('reads every delimiter and encoding of spreadsheets', async (t) => {
  const lines = [HEADER, 'uuid-1,Küche,"Roof, level 9; ""east""",Tower,v1234567']
  const comma = lines.join('\r\n')
  const semicolon = `${HEADER.replaceAll(',', ';')}\r\nuuid-1;Küche;"Roof, level 9; ""east""";Tower;v1234567\r\n`
  const tab = `${HEADER.replaceAll(',', '\t')}\nuuid-1\tKüche\t"Roof, level 9; ""east"""\tTower\tv1234567\n`
  const cases: [name: string, bytes: Uint8Array][] = [
    ['UTF-8', encoded(comma)],
    ['UTF-8 with a byte order mark', encoded(`\uFEFF${semicolon}`)],
    ['UTF-16 LE, as "Unicode text" of Excel', utf16(tab, false)],
    ['UTF-16 BE', utf16(comma, true)],
    ['windows-1252, as "CSV" of Excel', Buffer.from(semicolon, 'latin1')],
    ['line breaks of old Macs', encoded(comma.replaceAll('\r\n', '\r'))]
  ]
  for (const [name, bytes] of cases) {
    const { rows, isEncodingGuessed } = await rowsOf(bytes)
    t.equal(isEncodingGuessed, name.startsWith('windows-1252'), name)
    t.match(
      rows,
      [{ deviceUuid: 'uuid-1', deviceName: 'Küche', location: 'Roof, level 9; "east"', project: 'Tower' }],
      name
    )
  }
})

t.test('a quoted cell may contain line breaks, and rows have the numbers of the spreadsheet', async (t) => {
  const rows = await rowsOfText(
    `\n${HEADER}\n${ROW}\n,,,,\nuuid-2,"two\nlines",Level 1,Tower,v1234567\n${ROW}`
  )
  t.same(
    rows.map(({ number, deviceName }) => [number, deviceName]),
    [
      [3, 'AHU-1'],
      [5, 'two\nlines'],
      [6, 'AHU-1']
    ]
  )
})

t.test('columns may be in another order, and more columns are ignored', async (t) => {
  const [row] = await rowsOfText(
    'Note,VERSION,project,location , name,device uuid\nmine,v1234567,Tower,Level 1,AHU-1,uuid-1'
  )
  t.match(row, {
    deviceUuid: 'uuid-1',
    deviceName: 'AHU-1',
    location: 'Level 1',
    project: 'Tower',
    version: 'v1234567',
    problem: null
  })
})

t.test('other work runs between the pieces of a large file, and no row is lost', async (t) => {
  const cell = 'x'.repeat(1_600)
  const lines = Array.from(
    { length: 5_000 },
    (_, index) => `uuid-${index},"${cell}\n${index}",Level 1,Tower,v1234567`
  )
  let turns = 0
  const timer = setInterval(() => {
    turns += 1
  })
  const rows = await rowsOfText([HEADER, ...lines].join('\n'))
  clearInterval(timer)
  t.ok(turns >= 10, `${turns} turns of other work`)
  t.strictSame(
    rows.map(({ deviceUuid, deviceName, number }) => [deviceUuid, deviceName, number]),
    lines.map((_, index) => [`uuid-${index}`, `${cell}\n${index}`, index + 2])
  )
})

t.test('refuses a large file with a quotation mark that is not closed before its end', async (t) => {
  const text = `${HEADER}\n${ROW}\nuuid-2,"AHU-2\n${'x'.repeat(9_000_000)}`
  await t.rejects(rowsOf(encoded(text)), new FileRefused(BULK_EDIT.endlessRow(3)))
})
