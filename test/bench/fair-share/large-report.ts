// One person reads a report by the hour over five years, of points that rarely change, again and again. A report of 100 points is
// refused; the one that is read has as many points as fit.
import { request } from 'undici'
import { REPORT_RECORDS_MAX } from '#shared/limits.ts'
import { median, table } from '../figures.ts'
import { type Others, othersOf, othersTable, takeRounds } from '../frame.ts'
import type { Server } from '../program.ts'
import { startServer } from '../program.ts'
import type { Call } from '../programs/load.ts'
import { FIRST_WITH_OWN_ROLES } from '../programs/person.ts'
import type { Memory } from '../programs/usage.ts'
import { get } from '../scene.ts'
import { type Case, DEVICES, OTHERS_GOAL, RATE, ROUNDS_MIN, type Setup, withGateway } from './case.ts'

const CUSTOMER = `c-${DEVICES}x1`
const FROM = '2021-01-01T00:00:00.000Z'
const TO = '2026-01-01T00:00:00.000Z'
const HOURS = (Date.parse(TO) - Date.parse(FROM)) / 3_600_000
const POINTS = Math.floor(REPORT_RECORDS_MAX / HOURS)
const REFUSED_POINTS = 100
const SECONDS = 15

const FORMATS = { CSV: 'text/csv', JSON: 'application/json', NDJSON: 'application/x-ndjson' }
type Kind = 'quiet' | keyof typeof FORMATS
const KINDS = ['quiet', 'CSV', 'JSON', 'NDJSON'] as const

interface Figures extends Others {
  peakMb: number
  /** What is in use, without garbage, while a report is being read. */
  heapMb: number
  answers: number
  /** Answers that end as their format demands, with all records. */
  complete: number
  megabytes: number
}

export const largeReport: Case = { name: 'large report', share: 2, measure }

async function measure(setup: Setup, seconds: number): Promise<string> {
  const { bench, scene, load } = setup
  const person = String(FIRST_WITH_OWN_ROLES + 100)
  const cookies = await scene.signIn([person])
  const callOf = (path: string) => scene.callsOf(() => path, cookies)[0] as Call
  const reports = await startServer(bench, 'programs/report-upstream.ts')
  const settings = {
    UPSTREAM_CHARTS_AND_REPORTS_URL: reports.origin,
    UPSTREAM_ENTITYMODEL_URL: reports.origin,
    UPSTREAM_EGRESS_URL: reports.origin
  }
  const dataOf = (points: number) =>
    callOf(
      `/api/portal/v1/customers/${CUSTOMER}/reports/report-${points}/data?from=${FROM}&to=${TO}&interval=hour`
    )
  let refused = ''
  const take = (kind: Kind) =>
    withGateway(
      setup,
      async (gateway): Promise<Figures> => {
        const devices = await get(gateway.origin, callOf(`/api/portal/v1/customers/${CUSTOMER}/devices`))
        const [device] = JSON.parse(Buffer.from(devices.body).toString()).items
        const { deviceUuid, systemGuid } = device
        const input = { customerId: CUSTOMER, deviceUuid, systemGuid, recordedAt: FROM }
        await reports.ask('prepareReports', input)
        refused = await refusalOf(gateway, dataOf(REFUSED_POINTS))
        const aborter = new AbortController()
        const read = { answers: 0, complete: 0, megabytes: 0 }
        const reader =
          kind === 'quiet' ? null : keepReading(gateway, dataOf(POINTS), kind, read, aborter.signal)
        const others = othersOf(await load.paced(gateway.origin, RATE, SECONDS))
        const heapMb = (await gateway.ask<Memory>('memory')).heapBytes / 2 ** 20
        aborter.abort()
        await reader
        const peakMb = (await gateway.ask<number>('peakBytes')) / 2 ** 20
        return { ...others, ...read, peakMb, heapMb }
      },
      settings
    )
  const rounds = await takeRounds(KINDS, take, { seconds, atLeast: ROUNDS_MIN })
  const title = `${POINTS} points by the hour over five years: others' proxied calls, ${RATE}/s`
  const rows = KINDS.map((kind) => {
    const figure = (of: (figures: Figures) => number) => median(rounds.map((round) => of(round[kind])))
    const total = (of: (figures: Figures) => number) =>
      rounds.reduce((sum, round) => sum + of(round[kind]), 0)
    const besideQuiet = (of: (figures: Figures) => number) => {
      const difference = figure(of) - median(rounds.map(({ quiet }) => of(quiet)))
      return `${difference < 0 ? '' : '+'}${difference.toFixed(0)}`
    }
    return [
      kind,
      figure(({ peakMb }) => peakMb).toFixed(0),
      besideQuiet(({ peakMb }) => peakMb),
      besideQuiet(({ heapMb }) => heapMb),
      `${total(({ complete }) => complete)} of ${total(({ answers }) => answers)}`,
      total(({ megabytes }) => megabytes).toFixed(0)
    ]
  })
  const memory = table(
    [
      'the gateway',
      'peak MB',
      'peak beside quiet (goal +50)',
      'heap in use beside quiet',
      'complete answers',
      'MB read'
    ],
    rows
  )
  return `${othersTable(title, OTHERS_GOAL, KINDS, rounds)}\n\n${memory}\n${REFUSED_POINTS} points: ${refused}`
}

async function refusalOf({ origin }: Server, { path, headers }: Call): Promise<string> {
  const { statusCode, body } = await request(origin + path, { headers })
  const { detail = '' } = (await body.json()) as { detail?: string }
  return `${statusCode}, ${detail}`
}

/** More than the last row of a CSV file, which begins with its time. */
const END_CHARS = 2_000

async function keepReading(
  { origin }: Server,
  { path, headers }: Call,
  kind: keyof typeof FORMATS,
  read: Pick<Figures, 'answers' | 'complete' | 'megabytes'>,
  signal: AbortSignal
): Promise<void> {
  while (!signal.aborted)
    try {
      const { statusCode, body } = await request(origin + path, {
        headers: { ...headers, accept: FORMATS[kind], 'accept-encoding': 'identity' },
        signal
      })
      if (statusCode !== 200) throw new Error(`${kind} answered ${statusCode}: ${await body.text()}`)
      let [end, lines] = ['', 0]
      for await (const chunk of body as AsyncIterable<Buffer>) {
        read.megabytes += chunk.length / 2 ** 20
        for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1
        end = (end + chunk.toString('latin1')).slice(-END_CHARS)
      }
      read.answers += 1
      const expectedLines = { CSV: 1 + HOURS, JSON: 0, NDJSON: POINTS + POINTS * HOURS }[kind]
      const lastTime = new Date(Date.parse(TO) - 3_600_000).toISOString()
      const isEnded = kind === 'JSON' ? end.endsWith(']}') : end.endsWith('\n')
      if (lines === expectedLines && isEnded && end.includes(lastTime)) read.complete += 1
    } catch (error) {
      if (!signal.aborted) throw error
    }
}
