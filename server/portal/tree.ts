// A customer's tree as JSON, written once, in which every device has its place: a page of devices is cut out of it, and
// the whole is sent as it is. Devices are known by their row, their number in the order of the tree.
import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Missing, Project } from '#shared/entities.ts'
import { COMMA, LIST_END, OBJECT_END } from '../upstreams/json-bytes.ts'
import { textListOf } from '../upstreams/text-list.ts'
import type { Turns } from '../upstreams/turns.ts'
import type { Fetched, Joined } from './assemble.ts'
import { type Bytes, BytesWriter } from './bytes.ts'
import { Texts } from './texts.ts'

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
  byUuid(uuid: string): number | undefined
}

const END = [LIST_END, OBJECT_END] as const

/** Writes it in turns. */
export async function writeTree(
  fetched: Fetched & { partial: Missing[] },
  joined: Joined,
  turns: Turns
): Promise<Tree> {
  const { customerId, assembledAt, partial } = fetched
  const { order, sizes } = joined
  const writer = new BytesWriter()
  const rows = new RowsWriter(writer, fetched, joined)
  const projects: Tree['projects'] = []
  let branch = 0
  let to = 0

  function open(): void {
    const project = fetched.projects[branch]
    const size = sizes[branch] as number
    const own = project && `${branch > 0 ? ',' : ''}${JSON.stringify(project).slice(0, -1)},"devices":[`
    writer.copy(Buffer.from(own ?? '],"unassigned":['))
    rows.open(project?.id ?? null)
    to += size
    if (project) projects.push({ ...project, from: to - size, to })
  }

  writer.copy(
    Buffer.from(`${JSON.stringify({ customerId, assembledAt, partial }).slice(0, -1)},"projects":[`)
  )
  const headEnd = writer.position
  open()
  // A step for each device, and one for the end of each project.
  await turns.each(order.length + sizes.length, () => {
    if (rows.written < to) return rows.write()
    writer.byte(END[0])
    writer.byte(END[1])
    branch += 1
    if (branch < sizes.length) open()
  })
  const bytes = writer.finish()
  const tag = await tagOf(JSON.stringify([customerId, partial]), bytes, headEnd, turns)
  return { partial, projects, bytes, tag, rows: rows.finish(bytes) }
}

/**
 * A hash of all but the time in the head: of the length and CRC-32 of each chunk, which is as much as is looked at when
 * the upstreams are read again, and less work than a hash of all bytes.
 */
async function tagOf(head: string, { chunks }: Bytes, headEnd: number, turns: Turns): Promise<string> {
  const hash = createHash('sha256').update(head)
  for (const [index, chunk] of chunks.entries())
    await turns.take(() => {
      const bytes = index === 0 ? chunk.subarray(headEnd) : chunk
      hash.update(` ${bytes.length} ${crc32(bytes)}`)
    })
  return hash.digest('base64url').slice(0, 27)
}

/** Writes the devices in the order of the tree, and remembers where each stands. */
class RowsWriter {
  /** How many are written. */
  written = 0
  readonly #writer: BytesWriter
  readonly #fetched: Fetched
  readonly #joined: Joined
  readonly #chunks: Uint32Array
  readonly #starts: Uint32Array
  readonly #ends: Uint32Array
  readonly #rowOf: Uint32Array
  /** Between what was fetched of a device and its subscriptions. */
  #middle = Buffer.alloc(0)
  #isFirst = true

  constructor(writer: BytesWriter, fetched: Fetched, joined: Joined) {
    const count = joined.order.length
    this.#writer = writer
    this.#fetched = fetched
    this.#joined = joined
    this.#chunks = new Uint32Array(count)
    this.#starts = new Uint32Array(count)
    this.#ends = new Uint32Array(count)
    this.#rowOf = new Uint32Array(fetched.devices.heads.count)
  }

  /** The next devices are of that project. */
  open(projectId: string | null): void {
    this.#middle = Buffer.from(`,"projectId":${JSON.stringify(projectId)},"subscriptions":[`)
    this.#isFirst = true
  }

  write(): void {
    const row = this.written
    const device = this.#joined.order[row] as number
    const writer = this.#writer
    if (!this.#isFirst) writer.byte(COMMA)
    writer.reserve(this.#lengthOf(device))
    this.#chunks[row] = writer.chunk
    this.#starts[row] = writer.position
    this.#fetched.devices.heads.copy(device, device, writer)
    writer.copy(this.#middle)
    this.#writeSubscriptions(device)
    writer.byte(END[0])
    writer.byte(END[1])
    this.#ends[row] = writer.position
    this.#rowOf[device] = row
    this.#isFirst = false
    this.written += 1
  }

  #lengthOf(device: number): number {
    const { first, next } = this.#joined
    const { devices, subscriptions } = this.#fetched
    let length = devices.heads.lengthOf(device) + this.#middle.length + END.length
    for (let held = first[device] as number; held >= 0; held = next[held] as number)
      length += (subscriptions?.bodies.lengthOf(held) ?? 0) + 1
    return length
  }

  /** Those that stand in a row in one piece. */
  #writeSubscriptions(device: number): void {
    const { first, next } = this.#joined
    const bodies = this.#fetched.subscriptions?.bodies
    if (!bodies) return
    for (let held = first[device] as number; held >= 0; ) {
      const from = held
      while (next[held] === held + 1 && bodies.isInRow(held)) held += 1
      if (from !== first[device]) this.#writer.byte(COMMA)
      bodies.copy(from, held, this.#writer)
      held = next[held] as number
    }
  }

  finish({ chunks: all }: Bytes): Rows {
    const [chunks, starts, ends, rowOf] = [this.#chunks, this.#starts, this.#ends, this.#rowOf]
    const { byUuid } = this.#joined
    return {
      count: starts.length,
      json: (row) => (all[chunks[row] as number] as Buffer).subarray(starts[row], ends[row]),
      byUuid(uuid) {
        const device = byUuid.find(new Texts([textListOf([uuid])]), 0)
        return device < 0 ? undefined : rowOf[device]
      }
    }
  }
}
