// An upstream that records and answers the calls that the gateway proxies (those with the address of the caller). The sandbox answers
// the gateway's own lookups; repeated lookups come from a cache.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Sandbox } from '#test/sandbox/app.ts'
import { type Asked, askSandbox, startControlledUpstream } from './controlled-upstream.ts'
import type { Test } from './teardown.ts'

export interface RecordingUpstream {
  url: string
  forwarded: Asked[]
  lookups: Set<string>
  /** Answers proxied calls. If undefined, the answer is `{}`. */
  answer: ((request: IncomingMessage, response: ServerResponse) => void) | undefined
}

export async function startRecordingUpstream(t: Test, sandbox: Sandbox): Promise<RecordingUpstream> {
  const cache = new Map<string, ReturnType<typeof askSandbox>>()
  const upstream = await startControlledUpstream(t, sandbox)
  const { url } = upstream
  const recorder: RecordingUpstream = { url, forwarded: [], lookups: new Set(), answer: undefined }
  upstream.rule = async (asked) => {
    const { by, target, request } = asked
    if (request.headers['x-forwarded-for'] !== undefined) {
      recorder.forwarded.push(asked)
      const { answer } = recorder
      return answer ? (response) => answer(request, response) : { status: 200 }
    }
    recorder.lookups.add(target)
    const key = `${by} ${target}`
    const lookup = cache.get(key) ?? askSandbox(sandbox, asked)
    cache.set(key, lookup)
    const { status, text } = await lookup
    return (response) => void response.writeHead(status, { 'content-type': 'application/json' }).end(text)
  }
  return recorder
}
