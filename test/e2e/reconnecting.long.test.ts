// The session store is unavailable for some seconds.
import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { browserTest } from '../support/browser/browser.ts'
import { startRedis } from '../support/redis-server.ts'
import { backendAt } from '../support/store-trouble.ts'

const redis = await startRedis(t)
const { open } = await browserTest(t, { backend: await backendAt(t, { REDIS_URL: redis.url }) })
const NORTHWIND = `/customers/${NOTABLE.northwind}`

t.test('a page that is open keeps its content and what was typed, and saves once it is back', async (t) => {
  const { page, context } = await open('partner.admin', NORTHWIND)
  t.teardown(() => context.close())
  await page.getByRole('button', { name: 'Create New Project' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('Winter Garden')
  redis.freeze()
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByText('Reconnecting…').waitFor()
  t.ok(await page.getByRole('table').first().isVisible())
  await page.locator('.toast').getByRole('link', { name: 'Retry' }).click()
  t.equal(await dialog.getByRole('textbox').inputValue(), 'Winter Garden')
  redis.thaw()
  await page.getByText('Connected again.').first().waitFor()
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByText("Project 'Winter Garden' created successfully.").first().waitFor()
})

t.test('a page that is opened meanwhile waits, says so, and shows once it is back', async (t) => {
  const { page, context } = await open('partner.admin')
  t.teardown(() => context.close())
  redis.freeze()
  await page.goto(NORTHWIND)
  await page.getByText('Reconnecting…').waitFor()
  await page.getByRole('heading', { name: 'Portal could not start' }).waitFor()
  redis.thaw()
  await page.getByRole('table').first().waitFor()
  t.equal(await page.getByText('Reconnecting…').count(), 0)
})
