// Records every command that a Redis receives (MONITOR). A client library would mistake the lines for answers.
import { randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import type { Redis } from 'ioredis'
import type { Confided } from '#test/sandbox/identity/confided.ts'
import { eventually } from './eventually.ts'

export interface Listener {
  told: ReadonlySet<string>
  upToDate: () => Promise<void>
  stop: () => void
}

const AGAIN_AFTER_MS = 20
const HEARD_WITHIN_MS = 60_000

export async function listenTo(look: Redis): Promise<Listener> {
  const { host = '127.0.0.1', port = 0 } = look.options
  const told = new Set<string>()
  let socket: Socket | null = null
  let isOver = false

  function listen(): void {
    if (isOver) return
    let rest = ''
    socket = connect(port, host, () => socket?.write('MONITOR\r\n'))
    // Redis escapes characters outside ASCII.
    socket.setEncoding('latin1')
    socket.on('data', (chunk) => {
      const lines = (rest + chunk).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) for (const word of wordsOf(line)) told.add(word)
    })
    socket.on('error', () => {})
    socket.once('close', () => setTimeout(listen, AGAIN_AFTER_MS).unref())
  }

  async function upToDate(): Promise<void> {
    const mark = randomUUID()
    await eventually(async () => {
      await look.ping(mark).catch(() => {})
      return told.has(mark)
    }, HEARD_WITHIN_MS)
  }

  listen()
  await upToDate()
  return {
    told,
    upToDate,
    stop() {
      isOver = true
      socket?.destroy()
    }
  }
}

const WORD = /"((?:[^"\\]|\\.)*)"/g
const WRITTEN: Record<string, string> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\' }

/**
 * The words of a command, as in `+1700000000.123456 [0 127.0.0.1:4000] "SET" "a key" "a \"value\""`. Other bytes stay
 * escaped, so that they do not form words.
 */
function wordsOf(line: string): string[] {
  return [...line.matchAll(WORD)].map(([, word = '']) =>
    word.replace(/\\([nrt"\\])/g, (_, letter) => WRITTEN[letter] ?? letter)
  )
}

const ANY_TOKEN = /(?<![\w-])eyJ[\w-]{10,}\.[\w-]{2,}\./
const SHORT = 5

export function leaksIn(told: Iterable<string>, secrets: readonly Confided[]): string[] {
  const text = [...told].join('\n')
  const leaks = secrets
    .filter(({ value }) => value.length >= SHORT && formsOf(value).some((form) => text.includes(form)))
    .map(({ name }) => name)
  return ANY_TOKEN.test(text) ? ['a token', ...leaks] : leaks
}

function formsOf(value: string): string[] {
  // Base64 of a text depends on its position among the encoded bytes.
  const encoded = [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(value)])
    const end = Math.floor((bytes.length * 4) / 3)
    return (['base64', 'base64url'] as const).map((form) =>
      bytes.toString(form).slice(before && before + 1, end)
    )
  })
  return [value, encodeURIComponent(value), Buffer.from(value).toString('hex'), ...encoded]
}
