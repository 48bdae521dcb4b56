import { readFileSync } from 'node:fs'
import t from 'tap'
import { calls, pageOfFullList } from '#shared/calls.ts'

/** Patterns of the gateway's routes, from the access grid. */
const patterns = readFileSync(new URL('../server/access/grid.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t')[2] ?? '')
  .filter((path) => path.startsWith('/api/'))
  .map(
    (path) => new RegExp(`^${path.replaceAll('::', '\0').replace(/:\w+/g, '[^/]+').replaceAll('\0', ':')}$`)
  )

/** The second parameters of calls that accept a few words only. */
const WORDS: Record<string, string> = {
  answerInvitation: 'accept',
  command: 'read',
  pointSearch: 'pointNames',
  organizationList: 'worklists/services'
}

function pathOf(name: string, call: unknown): string {
  const address = typeof call === 'function' ? call('x', WORDS[name] ?? 'y', {}) : call
  return address.split('?')[0]
}

t.test('the address of every call is a route of the gateway', (t) => {
  t.ok(patterns.length > 50)
  for (const [name, call] of Object.entries(calls)) {
    const path = pathOf(name, call)
    const isPrefix = path.endsWith('/')
    if (!isPrefix)
      t.ok(
        patterns.some((pattern) => pattern.test(path)),
        `${name}: ${path}`
      )
  }
  t.end()
})

t.test('escapes ids, so that an id cannot change the address', (t) => {
  t.equal(calls.device('9/../8', 'a?b#c'), '/api/portal/v1/customers/9%2F..%2F8/devices/a%3Fb%23c')
  t.end()
})

t.test('sends no empty values of a query', (t) => {
  const path = calls.devices('9', {
    sort: 'hostId',
    q: '',
    plan: undefined,
    projectId: null,
    size: 15,
    page: 0
  })
  t.equal(path, '/api/portal/v1/customers/9/devices?sort=hostId&size=15&page=0')
  t.equal(calls.devices('9', {}), '/api/portal/v1/customers/9/devices')
  t.end()
})

t.test('reads full lists in the largest pages, unless the path says a size', (t) => {
  t.equal(pageOfFullList('/list', 2), '/list?size=1000&page=2')
  t.equal(pageOfFullList('/list?size=20&sort=name', 0), '/list?size=20&sort=name&page=0')
  t.end()
})
