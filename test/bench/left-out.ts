// The steps of a proxied call that the benchmark `steps` leaves out, one at a time: edits of the source, made while it loads.
// The product has no switch for them.

interface Edit {
  /** Below server/. */
  file: string
  /** Occurs once in the file. */
  from: string
  to: string
}

const without = (file: string, from: string): Edit => ({ file, from, to: '' })

export const STEPS = {
  /** Shows the error of the measurement. */
  nothing: [],
  'log line, metrics, audit': [
    without('observability/request-log.ts', "reply.raw.once('close', () => log(request, reply))")
  ],
  'log line (LOG_LEVEL=warn)': [],
  metrics: [
    without('observability/request-log.ts', 'observe(status, durationMs)'),
    without('upstreams/transport/pools.ts', 'observe(status, ms)')
  ],
  'request id in logs of the call': [
    {
      file: 'observability/request-log.ts',
      from: 'forRequest(request.id, done)\n  })\n  // Node',
      to: 'done()\n  })\n  // Node'
    }
  ],
  'security headers': [without('http/security-headers.ts', 'reply.headers(dataHeaders)')],
  'canonical path': [without('app.ts', 'await app.register(canonicalPathPlugin)')],
  'unread-answer watch': [without('app.ts', 'await app.register(unreadAnswers, limits)')],
  'read of the session in Redis': [
    {
      file: 'auth/sessions/store.ts',
      from: 'const stored = await backend.read(name, cached?.stored)',
      to: 'const stored = cached?.stored ?? (await backend.read(name))'
    }
  ],
  'rate and body limits, calls in flight': [
    without(
      'auth/caller.ts',
      "await app.admit(request, reply, { kind: 'session', id: session.data.user.id })"
    )
  ],
  'user freshness': [without('auth/caller.ts', 'await caller.currentUser()\n')],
  CSRF: [without('app.ts', 'await api.register(csrfPlugin, services)')],
  access: [
    {
      file: 'access/enforce.ts',
      from: "if (typeof access === 'object') requireAtSomeScope(request, caller, access, decision)\n    const query",
      to: 'const query'
    },
    {
      file: 'access/enforce.ts',
      from: 'await decideBeforeBody(request, caller, access, decision)\n    if (decision.body',
      to: 'if (decision.body'
    },
    without('proxy/forward.ts', 'await request.confirmAccess()')
  ],
  'query reader': [
    {
      file: 'access/enforce.ts',
      from: 'const query = decision.query.read(request.query)\n    request.query = query\n    request.upstreamQuery = decision.query.write(query)',
      to: "request.upstreamQuery = (request.raw.url ?? '').slice((request.raw.url ?? '').indexOf('?'))"
    }
  ],
  trace: [without('proxy/headers.ts', 'call.writeHeaders(headers)')],
  'fair share and queue': [
    {
      file: 'proxy/forward.ts',
      from: 'await upstream.enter(call, aborter.signal,',
      to: '((_caller: string) => ({ writeHeaders() {}, leave(_status?: number) {} }))('
    }
  ],
  'time limit and disconnect': [
    {
      file: 'proxy/forward.ts',
      from: "const timer = setTimeout(() => aborter.abort(new DOMException('', 'TimeoutError')), upstream.timeoutMs)",
      to: 'const timer = undefined'
    },
    {
      file: 'proxy/forward.ts',
      from: 'const aborter = disconnectController(reply)',
      to: 'const aborter = new AbortController()'
    },
    { file: 'proxy/forward.ts', from: 'signal: aborter.signal\n', to: '\n' }
  ]
} as const satisfies Record<string, readonly Edit[]>

export type StepName = keyof typeof STEPS
export const STEP_NAMES = Object.keys(STEPS) as StepName[]
