import t from 'tap'
import {
  comparable,
  deviceFile,
  isVersion,
  projectNames,
  textOfCell,
  versionOfDevice
} from '#client/features/sites/devices/bulk-edit/device-file.ts'
import { device } from '#test/support/client/gateway.ts'

const TOWER = { id: 'p-1', projectName: 'Tower' }
const GARAGE = { id: 'p-2', projectName: 'Garage' }
const OTHER_GARAGE = { id: 'p-3', projectName: 'Garage' }

t.test('a project name that occurs twice is not enough to name a project', async (t) => {
  const names = projectNames([TOWER, GARAGE, OTHER_GARAGE])
  t.same(names.matching('Garage'), [GARAGE, OTHER_GARAGE])
  t.same(names.matching('Basement'), [])
})

t.test('the file names a project by its name, and by its id too if another has the same name', async (t) => {
  const names = projectNames([TOWER, GARAGE, OTHER_GARAGE, { id: 'p-4', projectName: '' }])
  t.equal(names.nameOf({ projectId: 'p-1', projectName: 'Tower' }), 'Tower')
  t.equal(names.nameOf({ projectId: 'p-3', projectName: 'Garage' }), 'Garage [p-3]')
  t.equal(names.nameOf({ projectId: 'p-4', projectName: '' }), '[p-4]')
  t.same(names.matching(' Garage [p-3] '), [OTHER_GARAGE])
  t.same(names.matching('Tower [p-1]'), [TOWER], 'an id is right also where it is not needed')
})

t.test('a device in no known project has the name that it came with, or none', async (t) => {
  const names = projectNames([TOWER])
  t.equal(names.nameOf({ projectId: 'p-77', projectName: 'Gone' }), 'Gone')
  t.equal(names.nameOf({ projectId: null, projectName: null }), '')
})

t.test('a cell means the same text with and without the apostrophes of the export', async (t) => {
  const texts = [
    '=1+1',
    '-5',
    '+1;-2',
    '@x',
    '007',
    '1-2',
    '3/4',
    '1E5',
    'May 7',
    '12 Dec',
    'TRUE',
    "'007",
    "'=x"
  ]
  for (const text of texts) {
    const file = deviceFile([{ device: device(1, { location: text }) }], projectNames([TOWER]))
    const cell = file.split('\r\n')[1]?.split(',')[2] ?? ''
    t.match(cell, /^'/, `${text}: is kept as a text`)
    t.equal(comparable(cell), comparable(text), `${text}: its cell`)
    t.equal(comparable(textOfCell(cell)), comparable(text), `${text}: its cell without apostrophes`)
  }
  for (const text of ['AHU-1', 'Level 4', '3rd floor', 'Marble hall', "Caretaker's Office", 'Roof, level 9'])
    t.equal(textOfCell(text), text)
})

t.test('white space at the ends, forms of letters and kinds of line breaks make no difference', async (t) => {
  t.equal(comparable(' Zürich\r\n2 '), comparable('Zu\u0308rich\n2'))
  t.not(comparable('ahu-1'), comparable('AHU-1'))
})

t.test('the version changes with each text of a device, and is no number for a spreadsheet', async (t) => {
  const names = projectNames([TOWER, GARAGE])
  const version = versionOfDevice(device(1), names)
  t.ok(isVersion(version), version)
  t.equal(versionOfDevice(device(1, { hostId: 'other' }), names), version)
  const changes = [
    { deviceUuid: 'uuid-2' },
    { deviceName: 'AHU-2' },
    { location: 'Level 2' },
    { projectId: 'p-2', projectName: 'Garage' }
  ]
  for (const change of changes) t.not(versionOfDevice(device(1, change), names), version)
  for (const text of ['', '1', 'v', version.slice(0, -1), `${version}0`]) t.notOk(isVersion(text), text)
})
