// A customer's tree as JSON, written once, in which every device has its place: a page of devices is cut out of it, and
// the whole is sent as it is. Devices are known by their row, their number in the order of the tree.
import { createHash } from 'node:crypto'
import { compareTexts, type DeviceSort } from '#shared/devices.ts'
import type { Missing, Project, Subscription } from '#shared/entities.ts'
import type { Turns } from '../upstreams/turns.ts'
import type { Branch } from './assemble.ts'
import { type Bytes, bytesWriter, type Place } from './bytes.ts'
import { type Column, createColumn } from './columns.ts'
import { bySort, type DevicePages } from './device-pages.ts'
import { type ServiceTerms, serviceTermsWriter } from './service-terms.ts'

export interface Tree {
  partial: Missing[]
  /** With their rows: from the first one to the one after the last. */
  projects: (Project & { from: number; to: number })[]
  /** `CustomerTree` as JSON. */
  bytes: Bytes
  /** Names the data, whenever they were put together. */
  tag: string
  rows: Rows
}

export interface Rows {
  readonly count: number
  /** The device of a row as JSON. */
  json(row: number): Buffer
  /** By device uuid; of two devices of one uuid, the first. */
  readonly byUuid: ReadonlyMap<string, number>
  uuidOf(row: number): string
  readonly columns: Record<DeviceSort, Column>
  readonly terms: ServiceTerms
}

interface Parts {
  head: { customerId: string; assembledAt: string; partial: Missing[] }
  /** The last one is that of no known project. */
  branches: readonly Branch[]
  devices: DevicePages
  services: ReadonlyMap<string, readonly Subscription[]>
}

const NOTHING = Buffer.alloc(0)

export async function writeTree({ head, branches, devices, services }: Parts, turns: Turns): Promise<Tree> {
  const writer = bytesWriter()
  const rows = rowsWriter(branches.reduce((sum, { devices }) => sum + devices.length, 0))
  const projects: Tree['projects'] = []

  const { end: headEnd } = writer.write(NOTHING, `${JSON.stringify(head).slice(0, -1)},"projects":[`)
  for (const { project, devices: own } of branches) {
    const between = projects.length > 0 ? ',' : ''
    const opening = project
      ? `${between}${JSON.stringify(project).slice(0, -1)},"devices":[`
      : '],"unassigned":['
    writer.write(NOTHING, opening)
    const from = rows.written()
    const projectId = JSON.stringify(project?.id ?? null)
    await turns.each(own.length, (at) => {
      const device = own[at] as number
      const held = services.get(devices.uuidOf(device)) ?? []
      if (at > 0) writer.write(NOTHING, ',')
      const tail = `,"projectId":${projectId},"subscriptions":${JSON.stringify(held)}}`
      rows.add(writer.write(devices.headOf(device), tail), device, held, devices)
    })
    writer.write(NOTHING, ']}')
    if (project) projects.push({ ...project, from, to: rows.written() })
  }
  const bytes = writer.finish()
  const { partial } = head
  const tag = await tagOf(JSON.stringify([head.customerId, partial]), bytes, headEnd, turns)
  return { partial, projects, bytes, tag, rows: rows.finish(bytes, devices, turns) }
}

/** A hash of all but the time in the head. */
async function tagOf(head: string, { chunks }: Bytes, headEnd: number, turns: Turns): Promise<string> {
  const hash = createHash('sha256').update(head)
  for (const [index, chunk] of chunks.entries())
    await turns.take(() => hash.update(index === 0 ? chunk.subarray(headEnd) : chunk))
  return hash.digest('base64url').slice(0, 27)
}

function rowsWriter(count: number) {
  const [chunks, starts, ends] = [new Uint32Array(count), new Uint32Array(count), new Uint32Array(count)]
  const numbers = bySort(() => new Uint32Array(count))
  const columns = Object.entries(numbers) as [DeviceSort, Uint32Array][]
  const uuids: string[] = []
  const byUuid = new Map<string, number>()
  const terms = serviceTermsWriter()

  return {
    written: () => uuids.length,
    add(place: Place, device: number, held: readonly Subscription[], { uuidOf, valueAt }: DevicePages) {
      const row = uuids.length
      const uuid = uuidOf(device)
      chunks[row] = place.chunk
      starts[row] = place.start
      ends[row] = place.end
      for (const [sort, column] of columns) column[row] = valueAt(sort, device)
      uuids.push(uuid)
      if (!byUuid.has(uuid)) byUuid.set(uuid, row)
      for (const subscription of held) terms.add(row, subscription)
    },
    finish: (bytes: Bytes, { columns }: DevicePages, turns: Turns): Rows => ({
      count,
      json: (row) => (bytes.chunks[chunks[row] as number] as Buffer).subarray(starts[row], ends[row]),
      byUuid,
      uuidOf: (row) => uuids[row] as string,
      columns: bySort((sort) => createColumn(columns[sort].values, numbers[sort], compareTexts, turns)),
      terms: terms.finish(count)
    })
  }
}
