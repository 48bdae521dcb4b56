import { connect } from 'node:net'
import Fastify from 'fastify'
import t from 'tap'
import { handleError } from '#server/errors.ts'
import { canonicalPathPlugin, isCanonical } from '#server/http/canonical-path.ts'

const REFUSED = [
  '',
  '*',
  'a',
  'http://host/a',
  '/.',
  '/..',
  '/./a',
  '/../a',
  '/a/.',
  '/a/..',
  '/a/./b',
  '/a/../b',
  '//',
  '//a',
  '/a//b',
  '/a//',
  '/\\a',
  '/a\\..\\b',
  '/a;x=1/b',
  '/a;',
  '/%2e/a',
  '/%2E%2e/a',
  '/.%2e/a',
  '/a%2fb',
  '/a%2Fb',
  '/a%5cb',
  '/a%5Cb',
  '/a%3bx=1',
  '/a%25b',
  '/a%252fb',
  '/a%2525b',
  '/a%00',
  '/a%0a',
  '/a%0D%0Ax',
  '/a%1f',
  '/a%7f',
  '/a b',
  '/a\tb',
  '/a\nb',
  '/ä',
  '/a\u00a0b',
  '/a\u007fb',
  '/%',
  '/a%',
  '/a%4',
  '/a%zz',
  '/a%u002fb',
  '/%ff',
  '/%80',
  '/%c0%af',
  '/%c0%ae%c0%ae/a',
  '/%e0%80%af',
  '/%ed%a0%80',
  '/%f5%80%80%80'
]

const TAKEN = [
  '/',
  '/a',
  '/a/',
  '/a/b.c',
  '/.well-known/x',
  '/...',
  '/a/...b/c',
  '/a..b',
  '/a.',
  '/a:b',
  '/a/alarms:search',
  "/a-_~!$&'()*+,=@",
  '/a%20b',
  '/%41pi',
  '/%C3%A4',
  '/%e2%82%ac',
  '/%f0%9f%98%80'
]

t.test('a path that could be read in two ways is not canonical', async (t) => {
  for (const path of REFUSED) t.notOk(isCanonical(path), encodeURI(path))
})

t.test('a path that can be read in one way only is', async (t) => {
  for (const path of TAKEN) t.ok(isCanonical(path), path)
})

t.test('refused paths reach no handler; the query is not looked at', async (t) => {
  const seen: string[] = []
  const app = Fastify()
  app.setErrorHandler(handleError)
  await app.register(canonicalPathPlugin)
  app.get('/*', async (request) => {
    seen.push(request.url)
    return 'answered'
  })
  t.teardown(() => app.close())
  const { port } = new URL(await app.listen({ port: 0 }))
  const ask = (path: string) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), 'localhost', () =>
        socket.end(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`, 'latin1')
      )
      let got = ''
      socket.on('data', (chunk) => {
        got += chunk
      })
      socket.once('close', () => resolve(got))
      socket.once('error', reject)
    })
  // What is no request target at all is refused by Node itself.
  for (const path of REFUSED.filter((path) => !/^$|[\s*]/.test(path)))
    t.match(await ask(path), /^HTTP\/1\.1 40\d/, encodeURI(path))
  t.strictSame(seen, [])
  for (const path of ['/a?x=../..//;%2f%00', '/a?', '/a?b=//evil', '/a?b=\\'])
    t.match(await ask(path), /^HTTP\/1\.1 200/, path)
  t.equal(seen.length, 4)
})
