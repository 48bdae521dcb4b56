import Fastify from 'fastify'
import t from 'tap'
import { handleError } from '#server/errors.ts'
import { canonicalPathPlugin, isCanonical } from '#server/http/canonical-path.ts'
import { sendAlone } from '../../support/raw-http.ts'

const words = (text: string) => text.trim().split(/ +|\n/)
const REFUSED = [
  '',
  '/a b',
  '/a\tb',
  '/a\nb',
  '/a\u00a0b',
  '/a\u007fb',
  ...words(String.raw`
* a http://host/a /. /.. /./a /../a /a/. /a/.. /a/./b /a/../b // //a /a//b /a// /\a /a\..\b /a;x=1/b /a;
/%2e/a /%2E%2e/a /.%2e/a /a%2fb /a%2Fb /a%5cb /a%5Cb /a%3bx=1 /a%25b /a%252fb /a%2525b
/a%00 /a%0a /a%0D%0Ax /a%1f /a%7f /ä /% /a% /a%4 /a%zz /a%u002fb
/%ff /%80 /%c0%af /%c0%ae%c0%ae/a /%e0%80%af /%ed%a0%80 /%f5%80%80%80`)
]
const ACCEPTED = words(`
/ /a /a/ /a/b.c /.well-known/x /... /a/...b/c /a..b /a. /a:b /a/alarms:search /a-_~!$&'()*+,=@
/a%20b /%41pi /%C3%A4 /%e2%82%ac /%f0%9f%98%80`)

t.test('rejects paths that can be read in two ways', async (t) => {
  for (const path of REFUSED) t.notOk(isCanonical(path), encodeURI(path))
})

t.test('accepts paths that can be read in one way', async (t) => {
  for (const path of ACCEPTED) t.ok(isCanonical(path), path)
})

t.test('answers 400 to refused paths before any handler, and ignores the query', async (t) => {
  const handledUrls: string[] = []
  const app = Fastify()
  app.setErrorHandler(handleError)
  await app.register(canonicalPathPlugin)
  app.get('/*', async (request) => {
    handledUrls.push(request.url)
    return 'answered'
  })
  t.teardown(() => app.close())
  const { port } = new URL(await app.listen({ port: 0 }))
  const headers = 'Host: localhost\r\nConnection: close\r\n\r\n'
  const call = async (path: string) =>
    (await sendAlone(Number(port), `GET ${path} HTTP/1.1\r\n${headers}`)).status
  // Node itself refuses a malformed request target.
  for (const path of REFUSED.filter((path) => !/^$|[\s*]/.test(path)))
    t.equal(await call(path), 400, encodeURI(path))
  t.strictSame(handledUrls, [])
  for (const path of ['/a?x=../..//;%2f%00', '/a?', '/a?b=//evil', '/a?b=\\'])
    t.equal(await call(path), 200, path)
  t.equal(handledUrls.length, 4)
})
