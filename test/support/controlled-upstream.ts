// The sandbox's APIs behind a door: a test sees who asks for what, holds calls back, and answers some of them itself.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Sandbox } from '#test/sandbox/app.ts'
import type { Test } from './teardown.ts'

export interface Asked {
  /** Id of the user whose token it carried. */
  by: string
  method: string
  target: string
}

/** A status, with a body where one is needed; or whatever is written; undefined: the sandbox answers. */
export type Answer = { status: number; body?: unknown } | ((response: ServerResponse) => void) | undefined

export interface ControlledUpstream {
  url: string
  asked: Asked[]
  /** Waited for before each answer. */
  rule: (asked: Asked) => Answer | Promise<Answer>
}

export async function startControlledUpstream(t: Test, sandbox: Sandbox): Promise<ControlledUpstream> {
  const server = createServer(async (request, response) => {
    const { method = '', url: target = '', headers } = request
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const asked = { by: subjectOf(headers.authorization ?? ''), method, target }
    upstream.asked.push(asked)
    const told = await upstream.rule(asked)
    if (typeof told === 'function') return told(response)
    if (told) {
      response.writeHead(told.status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(told.body ?? {}))
      return
    }
    const passed = await fetch(sandbox.url + target, {
      method,
      headers: { authorization: headers.authorization ?? '', 'content-type': 'application/json' },
      ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {})
    })
    response.writeHead(passed.status, { 'content-type': 'application/json' })
    response.end(Buffer.from(await passed.arrayBuffer()))
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  const upstream: ControlledUpstream = {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    asked: [],
    rule: () => undefined
  }
  return upstream
}

function subjectOf(authorization: string): string {
  const [, claims = ''] = authorization.split('.')
  return JSON.parse(Buffer.from(claims, 'base64url').toString() || '{}').sub ?? ''
}
