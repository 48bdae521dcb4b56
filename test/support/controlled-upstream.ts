// A proxy in front of the sandbox's APIs. A test can record, delay and answer calls.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Sandbox } from '#test/sandbox/app.ts'
import { closeServer } from './close-server.ts'
import type { Test } from './teardown.ts'

export interface Asked {
  by: string
  method: string
  target: string
  body: string
  request: IncomingMessage
}

/** A status with an optional body, or a function that writes the response. Undefined forwards the call to the sandbox. */
export type Answer = { status: number; body?: unknown } | ((response: ServerResponse) => void) | undefined

export interface ControlledUpstream {
  url: string
  asked: Asked[]
  /** Chooses the answer to each call. */
  rule: (asked: Asked) => Answer | Promise<Answer>
}

export async function startControlledUpstream(t: Test, sandbox: Sandbox): Promise<ControlledUpstream> {
  const server = createServer({ keepAliveTimeout: 120_000 }, async (request, response) => {
    const { method = '', url: target = '', headers } = request
    let body = ''
    for await (const chunk of request) body += chunk
    const asked = { by: subjectOf(headers.authorization ?? ''), method, target, body, request }
    upstream.asked.push(asked)
    const answer = await upstream.rule(asked)
    if (typeof answer === 'function') return answer(response)
    if (answer) {
      const text = JSON.stringify(answer.body ?? {})
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text)
      return
    }
    const { status, text } = await askSandbox(sandbox, asked)
    response.writeHead(status, { 'content-type': 'application/json' }).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  t.teardown(() => closeServer(server))
  const upstream: ControlledUpstream = {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    asked: [],
    rule: () => undefined
  }
  return upstream
}

export async function askSandbox(
  { url }: Sandbox,
  { method, target, body, request }: Asked
): Promise<{ status: number; text: string }> {
  try {
    const sandboxAnswer = await fetch(url + target, {
      method,
      headers: { authorization: request.headers.authorization ?? '', 'content-type': 'application/json' },
      ...(body === '' ? {} : { body })
    })
    return { status: sandboxAnswer.status, text: await sandboxAnswer.text() }
  } catch {
    return { status: 503, text: '{}' }
  }
}

function subjectOf(authorization: string): string {
  const [, claims = ''] = authorization.split('.')
  return JSON.parse(Buffer.from(claims, 'base64url').toString() || '{}').sub ?? ''
}
