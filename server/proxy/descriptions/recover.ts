// What is told of saved backups. Data only.
import Type from 'typebox'
import { type Area, area } from './area.ts'
import { DONE, FILE, halList, json, nullableText, optional, text, time, yesNo } from './shapes.ts'

const Trigger = Type.Enum(['MANUAL', 'SCHEDULED'], { type: 'string', description: 'How it began.' })

const Backup = Type.Object(
  {
    id: text,
    deviceUuid: text,
    deviceName: text,
    hostId: text,
    stationName: text,
    backupDate: time,
    trigger: Trigger,
    status: Type.Enum(['RUNNING', 'COMPLETE', 'FAILED'], { type: 'string' }),
    sizeBytes: optional(Type.Unsafe<number | null>({ type: ['integer', 'null'] })),
    niagaraVersion: text,
    notes: optional(nullableText),
    retained: yesNo,
    checksum: optional(nullableText)
  },
  { $id: 'Backup' }
)
const BACKUP = {
  id: 'bak-8',
  deviceUuid: '6f1c2d8e-0b7a-4c59-9f3e-2a4d5b6c7e80',
  deviceName: 'AHU-3',
  hostId: 'Qnx-TITAN-1A2B-3C4D-5E6F-7A8B',
  stationName: 'ahu3',
  backupDate: '2025-06-12T02:00:00.000Z',
  trigger: 'SCHEDULED',
  status: 'COMPLETE',
  sizeBytes: 18_400_000,
  niagaraVersion: '4.14.0.162',
  notes: '',
  retained: false,
  checksum: 'sha256:9f86d081884c7d65'
}

export const recover: Area = area('Saved backups', 'Backups of the stations of a customer (Recover).', {
  'backups.list': {
    summary: 'List the backups of a customer',
    answers: { 200: halList('One page of backups.', 'backups', Backup, BACKUP) }
  },
  'backups.edit': {
    summary: 'Note something on a backup, or keep it for good',
    example: { notes: 'Before the upgrade.', retained: true },
    answers: { 200: json('The backup.', Backup, BACKUP) }
  },
  'backups.delete': {
    summary: 'Delete a backup',
    answers: DONE,
    refusals: { 409: { description: 'The backup is kept for good.' } }
  },
  'backups.download': { summary: 'Download a backup', answers: FILE }
})
