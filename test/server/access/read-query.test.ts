import querystring from 'node:querystring'
import t from 'tap'
import { queryReader } from '#server/access/read-query.ts'
import { CLAIM, closed, id, listOf, optional, text, time, whole, yesNo } from '#server/schemas.ts'
import { oneOf } from '#shared/answers/parts.ts'

const reader = queryReader(
  closed({
    page: optional(whole(0, 1000)),
    flag: optional(yesNo()),
    kind: optional(oneOf(['CSV', 'JSON'])),
    keyword: optional(text(5)),
    deviceId: optional(id()),
    from: optional(time()),
    action: optional(listOf(text(5), 2)),
    customerId: optional({ ...id(), [CLAIM]: true })
  })
)
const read = (query: string) => reader.read({ ...querystring.parse(query) })

t.test('refuses an undeclared query and names the parameter', async (t) => {
  const cases: [query: string, detail: RegExp][] = [
    ['x=1', /^The parameter "x" is not part of this call\.$/],
    ['Page=1', /^The parameter "Page" is not part/],
    ['page[]=1', /^The parameter "page\[\]" is not part/],
    ['__proto__=1', /^The parameter "__proto__" is not part/],
    ['x=1;deviceId=d-1', /^The parameter "x" is not part/],
    ['page=1;deviceId=d-1', /^The parameter "page" must be a whole number from 0 to 1000\.$/],
    ['page=1&page=2', /^The parameter "page" must be given once\.$/],
    ['keyword=a&keyword=a', /^The parameter "keyword" must be given once\.$/],
    ['action=a&action=b&action=c', /^The parameter "action" takes at most 2 items\.$/],
    ['action=toolong', /^The parameter "action" must be text of at most 5 characters\.$/],
    ['keyword=toolong', /^The parameter "keyword" must be text of at most 5 characters\.$/],
    ['kind=csv', /^The parameter "kind" must be one of CSV, JSON\.$/],
    ['from=junk', /^The parameter "from" must be text such as/],
    ['deviceId=', /^The parameter "deviceId" must be text such as/],
    ['deviceId=..', /^The parameter "deviceId" must be/],
    ['deviceId=a%2fb', /^The parameter "deviceId" must be/]
  ]
  for (const page of ['', '-1', '1001', '1.5', '1e3', ' 1', '1 ', '0x1', '01', '+1', 'NaN', '1'.repeat(400)])
    cases.push([`page=${encodeURIComponent(page)}`, /^The parameter "page" must be a whole number/])
  for (const flag of ['', 'TRUE', '1', 'yes', 'constructor'])
    cases.push([`flag=${flag}`, /^The parameter "flag" must be true or false\.$/])
  for (const [query, detail] of cases)
    try {
      read(query)
      t.fail(`${query} is read`)
    } catch (error) {
      t.match(error, { status: 400, options: { detail } }, query)
    }
  t.throws(() => reader.read({ keyword: '\ud800' }), /400/, 'an unpaired surrogate')
})

t.test('reads values by their declared types and serializes them again', async (t) => {
  const cases: [query: string, values: object, serialized: string][] = [
    ['', {}, ''],
    ['page=0&flag=false', { page: 0, flag: false }, '?page=0&flag=false'],
    ['keyword=a%3Bb', { keyword: 'a;b' }, '?keyword=a%3Bb'],
    ['keyword=a;b', { keyword: 'a;b' }, '?keyword=a%3Bb'],
    ['keyword=%26x%3D', { keyword: '&x=' }, '?keyword=%26x%3D'],
    ['keyword=', { keyword: '' }, '?keyword='],
    ['key%77ord=a+b', { keyword: 'a b' }, '?keyword=a%20b'],
    ['action=a', { action: ['a'] }, '?action=a'],
    ['action=a&action=b', { action: ['a', 'b'] }, '?action=a&action=b'],
    ['customerId=9&page=1', { customerId: '9', page: 1 }, '?page=1'],
    ['customerId=9', { customerId: '9' }, '']
  ]
  for (const [query, values, serialized] of cases) {
    t.same(read(query), values, query)
    t.equal(reader.write(read(query)), serialized, query)
  }
})

t.test('uses defaults, and refuses all parameters without a schema', async (t) => {
  const pageReader = queryReader(closed({ size: { ...whole(1, 9), default: 5 }, sort: optional(text(9)) }))
  t.same(pageReader.read({}), { size: 5 })
  t.same(pageReader.read({ size: '7' }), { size: 7 })
  t.same(queryReader().read({}), {})
  t.throws(() => queryReader().read({ a: '1' }), /400/)
})
