import t from 'tap'
import { safeReturnTo } from '#server/auth/return-to.ts'

const OURS = ['http://localhost:3000', 'https://portal.example.com']

// What opens redirectors elsewhere: each prefix before each host.
const PREFIXES = [
  '//',
  '///',
  '////',
  '/////',
  '/\\',
  '/\\/',
  '/\\\\',
  '//\\',
  '\\',
  '\\\\',
  '\\/',
  '\\/\\/',
  '/./\\',
  '/.//',
  '/..//',
  '/a/..//',
  '/a/../..//',
  '/%2e//',
  '/%2E%2e//',
  '/.%2e//',
  '/a/%2e%2e//',
  '/\t/',
  '/\n/',
  '/\r/',
  '/\r\n/',
  '/\0/',
  '/ /',
  '/\u000b/',
  '/\u00a0/',
  '/\u2028/',
  '/\ufeff/',
  '/\u3002/',
  '/／',
  '／／',
  '/＼',
  '\t//',
  '\n//',
  '\r//',
  ' //',
  '\0//',
  '\u0001//',
  '\u00a0//',
  '\ufeff//',
  'http://',
  'https://',
  'HTTPS://',
  'hTTp://',
  ' https://',
  '\thttps://',
  'ht\ntps://',
  'https:',
  'https:/',
  'https:///',
  'https:\\\\',
  'https:\\/\\/',
  'http:/\\',
  'ftp://',
  'ws://',
  'file://',
  'blob:https://',
  'view-source:https://',
  'javascript://',
  'javascript:',
  'JaVaScRiPt:',
  'data:text/html,',
  'vbscript:',
  'mailto:',
  '@',
  ':@',
  '.',
  ':80/',
  '#//',
  '?//',
  ';//',
  '*//',
  '%2f%2f',
  '%5c%5c',
  '%0d%0a//',
  ''
]
const HOSTS = ['evil.example', 'evil.example/a?b#c', 'localhost:3000@evil.example', '①⑥⑨.254.1']
const WHOLE = [
  '',
  ' ',
  '\0',
  '.',
  '..',
  './',
  '../',
  '?x=1',
  '#x',
  'home',
  'javascript:alert(1)',
  'java\nscript:alert(1)',
  'http:evil.example',
  'https:evil.example',
  'http://localhost:3000',
  'http://localhost:3000/customers',
  'https://portal.example.com/customers',
  'https://portal.example.com.evil.example/',
  '//localhost:3000/',
  '//portal.example.com/',
  '/customers\r\nSet-Cookie: portal=x',
  '/customers\nLocation: https://evil.example',
  '/customers\t',
  '/customers x',
  '/kunden/ä',
  '/customers\\..\\evil',
  '/customers?next=\\evil',
  '/auth',
  '/auth/',
  '/auth/login',
  '/auth/logout?x=1',
  '/api',
  '/api/portal/v1/bootstrap',
  '/callback',
  '/callback?code=x&state=y',
  '/callback#x',
  '/signin-failed',
  '/signin-failed?reason=expired',
  '/signed-out',
  '/logout',
  '/a/../auth/login',
  '/./auth/login',
  '/%2e/auth/login',
  '/a/%2e%2e/api/portal',
  `/${'a'.repeat(1024)}`
]

t.test('whatever is no path of ours leads home', async (t) => {
  const corpus = [...PREFIXES.flatMap((prefix) => HOSTS.map((host) => prefix + host)), ...WHOLE]
  t.ok(corpus.length >= 100, `${corpus.length} strings`)
  for (const publicUrl of OURS)
    for (const value of corpus)
      t.equal(safeReturnTo(value, publicUrl), '/', encodeURIComponent(value).slice(0, 60))
})

t.test('what is no text leads home', async (t) => {
  const values = [
    undefined,
    null,
    0,
    true,
    {},
    [],
    ['/customers'],
    ['/a', '/b'],
    { toString: () => '/customers' }
  ]
  for (const value of values) t.equal(safeReturnTo(value, OURS[0] as string), '/')
})

t.test('a path of ours is kept with its query and fragment', async (t) => {
  const kept = [
    '/',
    '/customers',
    '/customers/c-1001?project=3&page=2#row',
    '/customers/c-1001/devicedetails?deviceUuid=a-b',
    '/customers/St.%20Brigid',
    '/authors',
    '/apis',
    '/callbacks',
    '/customers/auth/login',
    '/search?q=https://evil.example',
    '/search?q=//evil.example',
    '/%2F%2Fevil.example',
    `/${'a'.repeat(1023)}`
  ]
  for (const publicUrl of OURS) for (const path of kept) t.equal(safeReturnTo(path, publicUrl), path, path)
})

t.test('however strings are put together, the browser stays on our origin', async (t) => {
  const parts = [
    '/',
    '\\',
    '.',
    '..',
    '%2f',
    '%5c',
    '%2e',
    '@',
    ':',
    '?',
    '#',
    'evil.example',
    'a',
    '\t',
    '%09',
    ';'
  ]
  for (const a of parts)
    for (const b of parts)
      for (const c of parts) {
        const value = `/${a}${b}${c}evil.example`
        const kept = safeReturnTo(value, OURS[1] as string)
        const leads = new URL(kept, OURS[1])
        if (leads.origin !== OURS[1] || /^\/[/\\]/.test(kept))
          t.fail(`${JSON.stringify(value)} leads to ${leads.href}`)
      }
  t.pass(`${parts.length ** 3} strings`)
})
