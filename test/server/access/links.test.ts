import t from 'tap'
import { linkedId } from '#server/access/links.ts'

t.test('a link to another kind of thing, or to none, is no link', async (t) => {
  const refused: unknown[] = [
    '/organizations/5',
    '/Roles/5',
    '/roles',
    '/roles/',
    '/roles/..',
    '/roles/5/',
    '/roles/5/6',
    '/roles/5?x=1',
    'roles/5',
    ' /roles/5',
    'https://host/roles/5',
    `/roles/${'5'.repeat(129)}`,
    5,
    null,
    undefined,
    ['/roles/5'],
    { href: '/roles/5' }
  ]
  for (const link of refused) t.equal(linkedId('roles', link), null, JSON.stringify(link))
  t.equal(linkedId('organizations', '/roles/5'), null)
  t.equal(linkedId('projects', '/organizations/5'), null)
})

t.test('a link of its kind gives its id', async (t) => {
  t.equal(linkedId('roles', '/roles/5'), '5')
  t.equal(linkedId('organizations', '/organizations/c-9'), 'c-9')
  t.equal(linkedId('projects', '/projects/6f1c2d8e-0b7a'), '6f1c2d8e-0b7a')
  t.equal(linkedId('projects', `/projects/${'x'.repeat(128)}`), 'x'.repeat(128))
})
