// An upstream that records what reaches it as raw bytes. What the gateway passes on (it carries a request id) is
// answered without being carried out; what it looks up for itself is answered by the sandbox, asked once for each.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Sandbox } from '#test/sandbox/app.ts'
import type { Test } from './teardown.ts'

export interface Passed {
  method: string
  /** The request target, as it came. */
  target: string
  /** Names and values in turn, as they came. */
  rawHeaders: string[]
  body: string
  /** Subject of the bearer token. */
  subject: string
}

export interface RecordingUpstream {
  url: string
  port: number
  passed: Passed[]
  /** Targets of the gateway's own look-ups, each once. */
  lookups: Set<string>
  /** Answers what is passed on; undefined: `{}`. */
  answer: ((request: IncomingMessage, response: ServerResponse) => void) | undefined
}

export async function startRecordingUpstream(t: Test, sandbox: Sandbox): Promise<RecordingUpstream> {
  const known = new Map<string, Promise<{ status: number; text: string }>>()
  const ask = async (target: string, authorization: string) => {
    const answer = await fetch(sandbox.url + target, { headers: { authorization } })
    return { status: answer.status, text: await answer.text() }
  }

  const server = createServer({ keepAliveTimeout: 120_000 }, async (request, response) => {
    const { method = '', url: target = '', rawHeaders } = request
    const { authorization = '' } = request.headers
    const subject = subjectOf(authorization)
    let body = ''
    for await (const chunk of request) body += chunk
    if (request.headers['x-request-id'] !== undefined) {
      recorder.passed.push({ method, target, rawHeaders, body, subject })
      if (recorder.answer) return recorder.answer(request, response)
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 2 }).end('{}')
      return
    }
    recorder.lookups.add(target)
    const key = `${subject} ${target}`
    const asked = known.get(key) ?? ask(target, authorization)
    known.set(key, asked)
    const { status, text } = await asked
    response.writeHead(status, { 'content-type': 'application/json' }).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  const recorder: RecordingUpstream = {
    url: `http://127.0.0.1:${port}`,
    port,
    passed: [],
    lookups: new Set(),
    answer: undefined
  }
  return recorder
}

function subjectOf(authorization: string): string {
  const [, claims = ''] = authorization.split('.')
  return JSON.parse(Buffer.from(claims, 'base64url').toString() || '{}').sub ?? ''
}
