// A file of 2 GB through the gateway, made by its host on the fly: what the gateway holds meanwhile, and whether a
// download that breaks off goes on where it was.
import { freePort } from '#test/support/portal.ts'
import { OTHER_CORE } from './cores.ts'
import { table } from './figures.ts'
import { FILE_BYTES, FILE_TAG, isRight } from './file-content.ts'
import { startServer } from './program.ts'
import type { Memory } from './programs/usage.ts'
import type { Bench, Benchmark } from './run.ts'
import { startSurroundings } from './surroundings.ts'

const DOWNLOAD = '/api/v1/recover/customers/1000/backups/b-1/download'
const BREAKS_OFF_AT = Math.floor(FILE_BYTES * 0.6)
/** What a stream may take beside what the gateway has anyway. */
const GOAL_MB = 64
const MB = 2 ** 20

export const downloads: Benchmark = { name: 'downloads', weight: 1, alone: true, run }

async function run(bench: Bench): Promise<void> {
  const around = await startSurroundings(bench)
  const port = await freePort()
  const host = await startServer('programs/file-host.ts', port, { core: OTHER_CORE })
  bench.teardown(() => host.stop())
  const { program, origin } = await around.anotherGateway({
    UPSTREAM_RECOVER_URL: `http://127.0.0.1:${port}`
  })
  const headers = around.calls[0]?.headers ?? {}
  const rss = async () => (await program.ask<Memory>('memory')).rssBytes / MB
  const most = async () => (await program.ask<number>('peakBytes')) / MB

  // A first call opens connections and compiles.
  await fetchPart(origin, headers, MB)
  const [before, mostBefore] = [await rss(), await most()]
  const began = performance.now()
  const whole = await fetchPart(origin, headers)
  const seconds = (performance.now() - began) / 1000
  const broken = await fetchPart(origin, headers, BREAKS_OFF_AT)
  const resumed = await fetchPart(origin, {
    ...headers,
    range: `bytes=${broken.bytes}-`,
    'if-range': FILE_TAG
  })
  const changed = await fetchPart(
    origin,
    { ...headers, range: `bytes=${broken.bytes}-`, 'if-range': '"other"' },
    MB
  )
  const [after, mostAfter] = [await rss(), await most()]

  const say = ({ status, from, bytes, right }: Part) =>
    `${status}, from ${from}, ${(bytes / MB).toFixed(0)} MB, ${right ? 'right' : 'WRONG'}`
  bench.print(
    table(
      [`${(FILE_BYTES / MB).toFixed(0)} MB through the gateway`, 'measured', 'goal'],
      [
        ['RSS before, after collection', `${before.toFixed(0)} MB`, ''],
        ['most that it ever had, before', `${mostBefore.toFixed(0)} MB`, ''],
        ['most that it ever had, after', `${mostAfter.toFixed(0)} MB`, `< ${GOAL_MB} MB more`],
        ['RSS after, after collection', `${after.toFixed(0)} MB`, 'flat'],
        ['pace', `${(FILE_BYTES / MB / seconds).toFixed(0)} MB/s`, ''],
        ['whole', say(whole), '200, every byte right'],
        [`broken off at ${(broken.bytes / MB).toFixed(0)} MB, resumed`, say(resumed), '206, the rest right'],
        ['resumed after the file has changed', say(changed), '200, from 0'],
        ['name', whole.name, 'no folder in it']
      ]
    )
  )
  const rest = FILE_BYTES - broken.bytes
  const fine =
    whole.right &&
    whole.bytes === FILE_BYTES &&
    resumed.right &&
    resumed.status === 206 &&
    resumed.bytes === rest
  if (!fine || changed.from !== 0) throw new Error('what arrived is not the file')
}

interface Part {
  status: number
  /** Where the part begins. */
  from: number
  bytes: number
  right: boolean
  name: string
}

/** Reads on until the end, or goes away after so many bytes. */
async function fetchPart(
  origin: string,
  headers: Record<string, string>,
  most = Number.POSITIVE_INFINITY
): Promise<Part> {
  const gone = new AbortController()
  const answer = await fetch(origin + DOWNLOAD, { headers, signal: gone.signal })
  const [, begins = '0'] = /^bytes (\d+)-/.exec(answer.headers.get('content-range') ?? '') ?? []
  const from = Number(begins)
  let [bytes, right] = [0, answer.ok]
  for await (const chunk of answer.body ?? []) {
    right &&= isRight(chunk, from + bytes)
    bytes += chunk.length
    if (bytes >= most) break
  }
  gone.abort()
  const name = answer.headers.get('content-disposition') ?? ''
  return { status: answer.status, from, bytes, right, name }
}
