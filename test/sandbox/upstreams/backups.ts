// Backups of stations with Recover: list, note, lock, download, delete.
import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { aboutDevice, changesBetween, recorderOf } from '../api/audit.ts'
import { booleanField, objectBody, oneOf, optionalText, timeField } from '../api/body.ts'
import { halPage } from '../api/hal.ts'
import { ApiProblem, found } from '../api/problems.ts'
import { params, type Upstream } from '../api/upstream.ts'
import type { DeviceRecord } from '../records/sites.ts'
import { type Backup, backupsOf } from '../simulation/backups.ts'
import type { State } from '../state.ts'
import { offerFile } from './files.ts'
import { organizationOf } from './management/organizations.ts'
import { withService } from './subscribed.ts'

const BASE = '/api/v1/recover/customers/:id/backups'
const NOTES_MAX_CHARACTERS = 300
const PAGE_SIZE = 15

export const backups: Upstream = (api, state, publicUrl) => {
  const record = recorderOf(state, 'BACKUP', ({ id, device }: Backup) =>
    aboutDevice(device, id, device.deviceName)
  )

  api.get(BASE, async (request) => {
    const customer = organizationOf(state, params(request).id)
    const query = request.query as Record<string, string | undefined>
    return halPage(request, {
      rel: 'backups',
      items: devicesOf(state, customer.id, query.deviceUuid)
        .filter(({ projectId }) => !query.projectId || projectId === query.projectId)
        .flatMap((device) => storedBackups(state, device))
        .filter(readFilter(query)),
      toBody: backupBody,
      size: PAGE_SIZE,
      order: { property: 'backupDate', descending: true }
    })
  })

  api.patch(`${BASE}/:backupId`, async (request) => {
    const before = backupOf(state, request)
    const body = objectBody(request)
    const notes = body.notes === undefined ? before.notes : optionalText(body, 'notes', NOTES_MAX_CHARACTERS)
    const retained = body.retained === undefined ? before.retained : booleanField(body, 'retained')
    state.backupChanges.set(before.id, { notes, retained })
    const after = backupOf(state, request)
    record(request, 'BACKUP_UPDATED', before, changesBetween(before, after, ['notes', 'retained']))
    return backupBody(after)
  })

  api.delete(`${BASE}/:backupId`, async (request, reply) => {
    const backup = backupOf(state, request)
    if (backup.retained) throw new ApiProblem(409, 'retained', 'a retained backup cannot be deleted')
    state.backupChanges.set(backup.id, { isDeleted: true })
    record(request, 'BACKUP_DELETED', backup)
    return reply.code(204).send()
  })

  api.get(`${BASE}/:backupId/download`, async (request, reply) => {
    const backup = backupOf(state, request)
    if (backup.status !== 'COMPLETE') throw new ApiProblem(409, 'notComplete', 'there is no file')
    const file = { contentType: 'application/octet-stream', content: () => content(backup) }
    record(request, 'BACKUP_DOWNLOADED', backup)
    return reply.redirect(offerFile(state, publicUrl, `${backup.id}.dist`, file), 302)
  })
}

function devicesOf(state: State, customerId: string, deviceUuid: string | undefined): DeviceRecord[] {
  const deviceUuids = withService(state, customerId, 'Recover')
  return state.devices
    .of(customerId)
    .filter((entry) => deviceUuids.has(entry.deviceUuid) && (!deviceUuid || entry.deviceUuid === deviceUuid))
}

function storedBackups(state: State, device: DeviceRecord): Backup[] {
  return backupsOf(device, state.clock())
    .map((backup) => ({ backup, changes: state.backupChanges.get(backup.id) }))
    .filter(({ changes }) => !changes?.isDeleted)
    .map(({ backup, changes }) => ({ ...backup, ...changes }))
}

function backupOf(state: State, request: FastifyRequest): Backup {
  const { id, backupId = '' } = params(request)
  const [, deviceId = ''] = backupId.match(/^bk-(.+)-[ms]\d+$/) ?? []
  const device = devicesOf(state, organizationOf(state, id).id, undefined).find(
    (candidate) => candidate.id === deviceId
  )
  const backup = device && storedBackups(state, device).find((stored) => stored.id === backupId)
  return found(backup, `backup ${backupId}`)
}

function readFilter(query: Record<string, string | undefined>): (backup: Backup) => boolean {
  const trigger = query.trigger && oneOf(query, 'trigger', ['MANUAL', 'SCHEDULED'])
  const retained = query.retained && oneOf(query, 'retained', ['true', 'false'])
  const fromMs = query.from ? timeField(query, 'from') : Number.NEGATIVE_INFINITY
  const toMs = query.to ? timeField(query, 'to') : Number.POSITIVE_INFINITY
  return (backup) =>
    (!trigger || backup.trigger === trigger) &&
    (!retained || String(backup.retained) === retained) &&
    backup.startMs >= fromMs &&
    backup.startMs <= toMs
}

function content({ id, sizeBytes }: Backup): Buffer {
  return Buffer.alloc(sizeBytes, `Sandbox backup ${id}\n`)
}

const checksums = new Map<string, string>()

function checksumOf(backup: Backup): string {
  const key = `${backup.id} ${backup.sizeBytes}`
  const checksum = checksums.get(key) ?? createHash('sha256').update(content(backup)).digest('hex')
  checksums.set(key, checksum)
  return `sha256:${checksum}`
}

/** Computes the checksum only when the property is read, because a list sorts thousands of bodies. */
function backupBody(backup: Backup): object {
  const { id, device, startMs, trigger, status, sizeBytes, niagaraVersion, notes, retained } = backup
  const isComplete = status === 'COMPLETE'
  return {
    id,
    deviceUuid: device.deviceUuid,
    deviceName: device.deviceName,
    hostId: device.hostId,
    stationName: device.equipment.replace(/\W+/g, '_'),
    backupDate: new Date(startMs).toISOString(),
    trigger,
    status,
    sizeBytes: isComplete ? sizeBytes : null,
    niagaraVersion,
    notes,
    retained,
    get checksum() {
      return isComplete ? checksumOf(backup) : null
    }
  }
}
