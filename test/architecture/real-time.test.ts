// Every wait on real time in tests, with its reason. A wait makes a test slow, and red on a busy machine: inject the clock, wait
// for what happens (test/support/eventually.ts), or mock the timers.
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const WAIT =
  /(?<![.\w'])(?:setTimeout|setInterval)\(|\.waitForTimeout\(|\bAbortSignal\.timeout\(|\bsetTimeout as wait\b/g

/** How many waits a file has, and why. */
const WAITS: Record<string, [waits: number, reason: string]> = {
  'test/client/features/sites/devices/bulk-edit/read-file.test.ts': [1, 'counts turns of the event loop'],
  'test/client/lib/http/query.test.tsx': [2, 'the next task, and renders during a poll'],
  'test/e2e/outages.long.test.ts': [1, 'a page is settled when it stays equal, while its calls hang'],
  'test/server/auth/current-user.long.test.ts': [1, 'keeps the process alive; the time limit is real'],
  'test/server/auth/sessions/redis-failover.long.test.ts': [1, 'pause between the calls of a load'],
  'test/server/auth/token-refresh.test.ts': [1, 'the time limit of a store that hangs'],
  'test/server/http/limits.test.ts': [1, 'sends a request in pieces to a real server'],
  'test/server/http/page.test.ts': [1, 'a bootstrap that is too late; its timer keeps the process alive'],
  'test/server/http/unread-answers.test.ts': [3, 'pauses of readers and upstreams, in parts of the limit'],
  'test/server/portal/readings/share.test.ts': [1, 'compares the number of reads with that of intervals'],
  'test/server/portal/readings/trouble.long.test.ts': [2, 'upstream answers that take 10 s'],
  'test/server/proxy/forward.test.ts': [1, 'an upstream that sends a byte at a time'],
  'test/server/proxy/slow-answers.test.ts': [2, 'an upstream that drips, and the end of a test that fails'],
  'test/server/upstreams/hal.test.ts': [2, 'pages that arrive in another order, within 30 ms'],
  'test/server/upstreams/hostile-answers.long.test.ts': [1, 'pause between the calls of a load'],
  'test/server/upstreams/hostile/gateway.ts': [1, 'measures how long the event loop is blocked'],
  'test/server/upstreams/hostile/upstream.ts': [1, 'pauses between the pieces of an answer'],
  'test/support/compose-engine.ts': [1, 'polls containers'],
  'test/support/engine.ts': [1, 'polls containers'],
  'test/support/eventually.ts': [1, 'polls a condition; ends as soon as it is met'],
  'test/support/gateway-process.ts': [1, 'polls a process that starts'],
  'test/support/portal.ts': [1, 'closes connections until the server is closed'],
  'test/support/redis-listener.ts': [1, 'connects again to a Redis that restarts'],
  'test/support/steady-load.ts': [1, 'paces the calls of a load'],
  'test/support/stopwatch.ts': [1, 'measures pauses of the process']
}

t.test('each wait on real time has a reason', async (t) => {
  const files = globSync('test/{architecture,client,deployment,e2e,server,shared,support}/**/*.{ts,tsx}', {
    cwd: ROOT,
    // The client of the services, which is generated.
    exclude: ['test/server/openapi/client/portal-client.ts']
  })
  t.ok(files.length > 300)
  const found = new Map<string, number>()
  for (const file of files) {
    const waits = readFileSync(`${ROOT}${file}`, 'utf8').match(WAIT)?.length ?? 0
    if (waits > 0) found.set(file, waits)
  }
  const listed = Object.entries(WAITS).map(([file, [waits]]): [string, number] => [file, waits])
  t.strictSame(Object.fromEntries([...found].sort()), Object.fromEntries(listed))
})
