// Checks for every page: no axe violation, pressed and chosen controls that stand out with forced colours, no sideways
// scrolling, cut text that shows in full on touch, lists of one form, one main heading, and a title that contains the
// heading.
import type { Page } from 'playwright-core'
import { violations } from './axe.ts'
import { forcedColourProblems } from './forced-colors.ts'
import { listProblems } from './list-checks.ts'

const WIDTHS = [320, 390, 768, 1024, 1280, 1440, 1920]
/** From this width on, a list has the layout of a desk. */
const DESK_PX = 1280

/** Reports a page that is wider than the window. Waits two frames, so that a new width takes effect. */
export async function sideways(page: Page): Promise<string[]> {
  const [excess, width] = await page.evaluate(async () => {
    for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame)
    return [document.documentElement.scrollWidth - document.documentElement.clientWidth, innerWidth]
  })
  return excess === 0 ? [] : [`${excess} px too wide at ${width}`]
}

export async function problemsOf(page: Page, heading: string): Promise<string[]> {
  await page.setViewportSize({ width: 1280, height: 900 })
  const problems = await violations(page, ['light', 'dark'])
  problems.push(...(await forcedColourProblems(page)))
  await page.setViewportSize({ width: 390, height: 900 })
  problems.push(...(await violations(page, ['light'])))
  if ((await page.locator('h1').count()) !== 1) problems.push('the page must have exactly one h1')
  if (!(await page.title()).includes(heading.slice(0, 12))) problems.push(`title: ${await page.title()}`)
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    problems.push(...(await sideways(page)))
    problems.push(...(await page.evaluate(cutTexts)).map((text) => `${text} at ${width}`))
    if (width >= DESK_PX)
      problems.push(...(await page.evaluate(listProblems)).map((text) => `${text} at ${width}`))
  }
  return problems
}

/**
 * Runs in the page. Reports cells whose text overlaps the next cell, cut texts that do not show in full on touch, and narrow
 * fields that cut text.
 */
async function cutTexts(): Promise<string[]> {
  const NARROW_PX = 160
  const FRAMES_MAX = 10
  const problems = new Set<string>()
  const context = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D
  for (const cell of document.querySelectorAll('th, td'))
    if (cell.scrollWidth > cell.clientWidth + 1 && getComputedStyle(cell).overflowX === 'visible')
      problems.add(`a column is too narrow for "${cell.textContent}"`)
  for (const field of document.querySelectorAll('input, select')) {
    const { font, paddingLeft, paddingRight } = getComputedStyle(field)
    const options = field instanceof HTMLSelectElement ? field.selectedOptions : null
    const { value, placeholder, type } = field as HTMLInputElement
    const text = options ? (options[0]?.text ?? '') : value || placeholder
    context.font = font
    const space = field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
    const isText = options !== null || ['text', 'search', 'email', 'password', 'number'].includes(type)
    if (isText && space > 0 && field.clientWidth < NARROW_PX && context.measureText(text).width > space + 1)
      problems.add(`the narrow field cuts "${text}"`)
  }
  for (const element of document.querySelectorAll<HTMLElement>('body *:not(input, select, textarea)')) {
    const { overflowX, webkitLineClamp } = getComputedStyle(element)
    const text = element.textContent.trim()
    if (text === '' || element.clientWidth < 2 || !/hidden|clip/.test(overflowX)) continue
    const isClamped = webkitLineClamp !== 'none' && element.scrollHeight > element.clientHeight + 1
    if (element.scrollWidth <= element.clientWidth + 1 && !isClamped) continue
    element.dispatchEvent(new PointerEvent('pointerover', { bubbles: true, pointerType: 'touch' }))
    const title = element.closest('[title]')?.getAttribute('title')
    const wholeName = element.closest('.middle-cut')?.lastElementChild?.textContent
    const showsInFull = () => {
      const tooltipText = document.querySelector('.cut-text')?.textContent?.trim()
      return tooltipText !== undefined && [text, title, wholeName].includes(tooltipText)
    }
    for (let frames = 0; frames < FRAMES_MAX && !showsInFull(); frames += 1)
      await new Promise(requestAnimationFrame)
    if (!showsInFull()) problems.add(`${element.className || element.localName} cuts "${text.slice(0, 60)}"`)
  }
  document.dispatchEvent(new Event('scroll'))
  return [...problems]
}
