// Records every command that a Redis receives (MONITOR). Uses no client library, because it would parse the lines as replies.
import { randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import type { Redis } from 'ioredis'
import type { Secret } from '#test/sandbox/identity/secret-log.ts'
import { eventually } from './eventually.ts'

export interface Listener {
  words: ReadonlySet<string>
  upToDate: () => Promise<void>
  stop: () => void
}

const RECONNECT_AFTER_MS = 20
const RECORDED_WITHIN_MS = 60_000

export async function listenTo(client: Redis): Promise<Listener> {
  const { host = '127.0.0.1', port = 0 } = client.options
  const words = new Set<string>()
  let socket: Socket | null = null
  let isStopped = false

  function listen(): void {
    if (isStopped) return
    let rest = ''
    socket = connect(port, host, () => socket?.write('MONITOR\r\n'))
    // Redis escapes characters outside ASCII.
    socket.setEncoding('latin1')
    socket.on('data', (chunk) => {
      const lines = (rest + chunk).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) for (const word of wordsOf(line)) words.add(word)
    })
    socket.on('error', () => {})
    socket.once('close', () => setTimeout(listen, RECONNECT_AFTER_MS).unref())
  }

  async function upToDate(): Promise<void> {
    const marker = randomUUID()
    await eventually(async () => {
      await client.ping(marker).catch(() => {})
      return words.has(marker)
    }, RECORDED_WITHIN_MS)
  }

  listen()
  await upToDate()
  return {
    words,
    upToDate,
    stop() {
      isStopped = true
      socket?.destroy()
    }
  }
}

const WORD = /"((?:[^"\\]|\\.)*)"/g
const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\' }

/**
 * The words of a command, as in `+1700000000.123456 [0 127.0.0.1:4000] "SET" "a key" "a \"value\""`. Other bytes stay
 * escaped, so that the bytes do not form words.
 */
function wordsOf(line: string): string[] {
  return [...line.matchAll(WORD)].map(([, word = '']) =>
    word.replace(/\\([nrt"\\])/g, (_, letter) => ESCAPES[letter] ?? letter)
  )
}

const ANY_TOKEN = /(?<![\w-])eyJ[\w-]{10,}\.[\w-]{2,}\./
const MIN_LENGTH = 5

export function leaksIn(words: Iterable<string>, secrets: readonly Secret[]): string[] {
  const text = [...words].join('\n')
  const leaks = secrets
    .filter(({ value }) => value.length >= MIN_LENGTH && formsOf(value).some((form) => text.includes(form)))
    .map(({ name }) => name)
  return ANY_TOKEN.test(text) ? ['a token', ...leaks] : leaks
}

function formsOf(value: string): string[] {
  // Base64 of a text depends on its position among the encoded bytes.
  const encodedForms = [0, 1, 2].flatMap((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(value)])
    const end = Math.floor((bytes.length * 4) / 3)
    return (['base64', 'base64url'] as const).map((form) =>
      bytes.toString(form).slice(offset && offset + 1, end)
    )
  })
  return [value, encodeURIComponent(value), Buffer.from(value).toString('hex'), ...encodedForms]
}
