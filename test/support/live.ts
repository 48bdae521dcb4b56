// Reads a live stream as a client does, and keeps what was received.
import type { EndReason, LiveEvent } from '#shared/answers/events.ts'
import { eventually } from './eventually.ts'
import type { Test } from './teardown.ts'

type Name = LiveEvent['event']
type Data<N extends Name> = Extract<LiveEvent, { event: N }>['data']

export interface Live {
  status: number
  headers: Headers
  /** The bytes so far. */
  text: string
  events: LiveEvent[]
  isClosed: boolean
  /** The newest data of an event that matches, as soon as there is one. */
  has<N extends Name>(name: N, matches?: (data: Data<N>) => boolean): Promise<Data<N>>
  /** The reason of the end, as soon as the stream has ended. Undefined if the connection was cut. */
  end(): Promise<EndReason | undefined>
  close(): void
}

/** @param send asks for a path of the gateway */
export async function listen(
  t: Test,
  send: (path: string, init: RequestInit) => Promise<Response>,
  query = ''
): Promise<Live> {
  const aborter = new AbortController()
  t.teardown(() => aborter.abort())
  const { status, headers, body } = await send(`/api/portal/v1/events${query}`, { signal: aborter.signal })
  const live: Live = {
    status,
    headers,
    text: '',
    events: [],
    isClosed: false,
    async has(name, matches = () => true) {
      const isMatch = ({ event, data }: LiveEvent) => event === name && matches(data as never)
      const { data } = await eventually(() => live.events.findLast(isMatch))
      return data as never
    },
    async end() {
      await eventually(() => live.isClosed)
      const last = live.events.at(-1)
      return last?.event === 'end' ? last.data.reason : undefined
    },
    close: () => aborter.abort()
  }
  void read(body, live)
  return live
}

async function read(body: ReadableStream<Uint8Array> | null, live: Live): Promise<void> {
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for await (const bytes of body ?? []) {
      const text = decoder.decode(bytes, { stream: true })
      live.text += text
      const blocks = (rest + text).split('\n\n')
      rest = blocks.pop() ?? ''
      live.events.push(...blocks.flatMap(eventOf))
    }
  } catch {
    // The connection was cut.
  }
  live.isClosed = true
}

function eventOf(block: string): LiveEvent[] {
  const fieldOf = (name: string) =>
    block
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2)
  const data = fieldOf('data')
  return data === undefined ? [] : [{ event: fieldOf('event'), data: JSON.parse(data) } as LiveEvent]
}
