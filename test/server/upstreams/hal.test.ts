import t from 'tap'
import { fetchAll, readPage } from '#server/upstreams/hal.ts'
import { clientOf, startTinyUpstream } from '../../support/tiny-upstream.ts'

const GARBLED = /502 upstream_garbled/
const TOO_LARGE = /502 upstream_too_large/

t.test('reads a page with missing parts, but refuses values that are not a page', async (t) => {
  for (const body of [null, [], 'x', 7, true, { _embedded: { things: {} } }, { _embedded: { things: 'x' } }])
    t.throws(() => readPage(body, 'things'), GARBLED, JSON.stringify(body))
  const page = { items: [], totalPages: 0, totalElements: 0, next: null }
  for (const body of [{}, { _embedded: {}, _links: 7, page: 'x' }, { _embedded: { others: [1] } }])
    t.strictSame(readPage(body, 'things'), page, JSON.stringify(body))
  for (const count of [-1, 1.5, 1e300, '2', null, {}])
    t.match(
      readPage({ _embedded: { things: [1] }, page: { totalPages: count, totalElements: count } }, 'things'),
      { totalPages: 0, totalElements: 1 },
      String(count)
    )
})

t.test('follows only path and query of a link', async (t) => {
  const links: [href: unknown, next: string | null][] = [
    ['/api/x?page=1', '/api/x?page=1'],
    ['https://evil.example/api/x?page=1&size=2', '/api/x?page=1&size=2'],
    ['//evil.example/api/x', '/api/x'],
    ['/a/../b', '/b'],
    [7, null],
    ['http://', null],
    [undefined, null]
  ]
  for (const [href, next] of links)
    t.equal(readPage({ _links: { next: { href } } }, 'x').next, next, String(href))
})

t.test('lists', async (t) => {
  const upstream = await startTinyUpstream(t)
  const client = clientOf(t, upstream.url)
  const bearer = { accessToken: async () => 'token', replaceToken: async () => null }
  const list = {
    api: 'ALARMS',
    path: '/things',
    rel: 'things',
    size: 2,
    read: (item: unknown) => item
  } as const
  const fetchList = (more: object = {}) => fetchAll(client, { ...list, ...more }, bearer)
  const callsOf = async (work: Promise<unknown>) => {
    upstream.received.length = 0
    await work
    return upstream.received.length
  }
  /** Answers each call with the page of the requested number, or with 500 for null. */
  function answerWith(
    pageAt: (number: number) => object | null,
    delayMs: (number: number) => number = () => 0
  ) {
    upstream.answer = ({ url = '' }, response) => {
      const number = Number(new URL(url, 'http://x').searchParams.get('page'))
      const page = pageAt(number)
      const send = () => response.writeHead(page ? 200 : 500).end(JSON.stringify(page))
      setTimeout(send, delayMs(number))
    }
  }
  const things = (...numbers: number[]) => ({ _embedded: { things: numbers } })
  const nextOf = (page: number) => ({
    _links: { next: { href: `https://elsewhere.example/things?page=${page}` } }
  })

  for (const [asked, most] of [
    [{}, 8],
    [{ parallel: 1 }, 1]
  ] as const)
    t.test(`fetches up to ${most} pages at a time, and keeps the order of the pages`, async (t) => {
      let pending = 0
      let maxPending = 0
      const page = { totalPages: 20 }
      answerWith(
        (number) => {
          pending += 1
          maxPending = Math.max(maxPending, pending)
          return { ...things(2 * number, 2 * number + 1), page }
        },
        // Later pages arrive earlier.
        (number) => {
          setTimeout(() => (pending -= 1), 29 - number)
          return 30 - number
        }
      )
      const calls = callsOf(
        fetchList({ path: '/things?userType=x', ...asked }).then((items) =>
          t.strictSame(
            items,
            Array.from({ length: 40 }, (_, index) => index)
          )
        )
      )
      t.equal(await calls, 20)
      t.ok(maxPending <= most && maxPending > 1 === most > 1, `${maxPending} pages at a time`)
      t.equal(upstream.received[0]?.url, '/things?userType=x&page=0&size=2')
    })

  t.test('without a page count, follows each link once', async (t) => {
    answerWith((number) => ({ ...things(number), ...(number < 4 ? nextOf(number + 1) : nextOf(2)) }))
    t.strictSame(await fetchList(), [0, 1, 2, 3, 4])
  })

  t.test(
    'links with the base path of the API lead to the same list, and other links where they say',
    async (t) => {
      const basedClient = clientOf(t, `${upstream.url}/cloud`)
      for (const [linked, called] of [
        ['/cloud/things?page=1', '/cloud/things?page=1'],
        ['/things?page=1', '/cloud/things?page=1'],
        ['/more-things?page=1', '/cloud/more-things?page=1'],
        ['/cursors/7?page=1', '/cloud/cursors/7?page=1']
      ]) {
        answerWith((number) => (number === 0 ? { _links: { next: { href: linked } } } : things(1)))
        upstream.received.length = 0
        t.strictSame(await fetchAll(basedClient, list, bearer), [1])
        t.equal(upstream.received[1]?.url, called)
      }
    }
  )

  t.test('refuses a list just above a limit', async (t) => {
    const limits = { maxPages: 3, maxRecords: 4 }
    const refuse = (more?: object) => callsOf(t.rejects(fetchList({ ...limits, ...more }), TOO_LARGE))
    answerWith(() => ({ ...things(), page: { totalPages: 4 } }))
    t.equal(await refuse(), 1)
    answerWith(() => ({ ...things(), page: { totalPages: 3 } }))
    t.strictSame(await fetchList(limits), [])

    answerWith((number) => nextOf(number + 1))
    t.equal(await refuse(), 3)
    answerWith((number) => (number < 2 ? nextOf(number + 1) : {}))
    t.strictSame(await fetchList(limits), [])

    answerWith((number) => ({ ...things(1, 2), ...(number < 1 ? nextOf(1) : {}) }))
    t.strictSame(await fetchList(limits), [1, 2, 1, 2])
    t.equal(await refuse({ maxRecords: 3 }), 2)
    answerWith((number) => nextOf(number + 1))
    t.equal(await refuse({ maxPages: undefined }), 100, 'default limits')
  })

  t.test('fails if one page fails', async (t) => {
    answerWith((number) => (number === 2 ? null : { ...things(1), page: { totalPages: 5 } }))
    await t.rejects(fetchList(), /502 upstream_failed/)
    answerWith((number) => (number === 2 ? ({ _embedded: { things: 7 } } as object) : nextOf(number + 1)))
    await t.rejects(fetchList(), GARBLED)
  })
})
