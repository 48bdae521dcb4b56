// Checks the hooks that run for each request: Fastify waits for the promise of an `async` hook, also if the hook never waits.
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** A hook with its indentation, its name, and the text of its `async` function. */
const ASYNC_HOOK = /^( *)\S*\.addHook\(\s*'((?:on|pre)\w+)',\s*async\b([\s\S]*?)^\1\}?\)/gm
/** Hooks of the process, not of a request. */
const RUN_ONCE = ['onClose', 'onListen', 'onReady', 'onRegister', 'onRoute', 'preClose']

/** The names of the hooks in a source text that are `async` although they await nothing. */
function needlesslyAsync(source: string): string[] {
  return [...source.matchAll(ASYNC_HOOK)].flatMap(([, , name = '', body = '']) =>
    RUN_ONCE.includes(name) || /\bawait\b/.test(body) ? [] : name
  )
}

t.test('finds an async hook that awaits nothing, and no other one', async (t) => {
  const source = `
  app.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
  })
  app.addHook('onRequest', async (request) => {
    await request.work()
  })
  app.addHook('preHandler', (request, _reply, done) => done())
  app.addHook('onClose', async () => stop())
`
  t.strictSame(needlesslyAsync(source), ['onSend'])
})

t.test('hooks of a request that never wait are callbacks', async (t) => {
  const files = globSync('server/**/*.ts', { cwd: ROOT })
  const sources = files.map((file) => ({ file, source: readFileSync(`${ROOT}${file}`, 'utf8') }))
  t.ok(sources.filter(({ source }) => source.includes('.addHook(')).length > 10, 'finds the hooks')
  const found = sources.flatMap(({ file, source }) =>
    needlesslyAsync(source).map((name) => `${file}: ${name}`)
  )
  t.strictSame(found, [])
})
