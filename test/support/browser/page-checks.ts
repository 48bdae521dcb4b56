// Checks for every page: no axe violation, pressed and chosen controls that stand out with forced colours, no sideways
// scrolling, no cut text in a list with a wide or a narrow font, lists of one form, one main heading, and a title that
// contains the heading.
import type { Page } from 'playwright-core'
import { violations } from './axe.ts'
import { calm } from './calm.ts'
import { forcedColourProblems } from './forced-colors.ts'
import { listProblems } from './list-checks.ts'

const WIDTHS = [320, 390, 768, 1024, 1280, 1440, 1920]
/** The widths at which lists are read with a second font: a phone, a tablet, a laptop and a desk. */
const LIST_WIDTHS = [390, 1024, 1280, 1440]
/** A font with the widths of Arial, which the test machine installs. Its own font is wider. */
const SECOND_FONT = '"Liberation Sans"'
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
  await page.setViewportSize({ width: DESK_PX, height: 900 })
  await showWholePage(page)
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
  await page.evaluate(chooseFont, SECOND_FONT)
  for (const width of LIST_WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    problems.push(...(await sideways(page)))
    problems.push(...(await page.evaluate(cutTexts)).map((text) => `${text} at ${width} in ${SECOND_FONT}`))
  }
  await page.evaluate(chooseFont, '')
  return problems
}

/** Makes the window as tall as the page: axe reports a control that is partly below the sticky foot of a list as too small. */
export async function showWholePage(page: Page): Promise<void> {
  const width = page.viewportSize()?.width ?? DESK_PX
  for (let shownHeight = 0; ; ) {
    await calm(page)
    const height = await page.evaluate(pageHeight)
    // Rows may still have grown with names that came late.
    if (height === shownHeight) return
    await page.setViewportSize({ width, height })
    shownHeight = height
  }
}

/** Runs in the page. */
const pageHeight = () => Math.max(innerHeight, document.documentElement.scrollHeight)

/** Runs in the page. Throws without the font, because the check would then repeat the first one. */
function chooseFont(font: string): void {
  const context = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D
  const widthIn = (fonts: string) => {
    context.font = `16px ${fonts}`
    return context.measureText('The quick brown fox jumps over the lazy dog').width
  }
  if (font && widthIn(`${font}, serif`) === widthIn('serif')) throw new Error(`There is no font ${font}`)
  document.documentElement.style.setProperty('--pico-font-family', font)
}

/**
 * Runs in the page. Reports cells whose text overlaps the next cell, cut texts in a list, and fields that cut a choice or a
 * placeholder; a wide field may cut what a person has typed. Text without a limit may be cut after three lines, and a machine's text anywhere. Outside lists, a cut text has a title.
 */
function cutTexts(): string[] {
  const NARROW_PX = 160
  const LISTS = '.list-card, .project-list, .row-sheet'
  const MAY_BE_CUT = '.free-text, .mono, .sr-only'
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
    const mayBeCut = options === null && value !== '' && field.clientWidth >= NARROW_PX
    if (isText && space > 0 && !mayBeCut && context.measureText(text).width > space + 1)
      problems.add(`the field cuts "${text}"`)
  }
  for (const element of document.querySelectorAll<HTMLElement>('body *:not(input, select, textarea)')) {
    const { overflowX, webkitLineClamp } = getComputedStyle(element)
    const text = element.textContent.trim()
    if (text === '' || element.clientWidth < 2 || !/hidden|clip/.test(overflowX)) continue
    const isClamped = webkitLineClamp !== 'none' && element.scrollHeight > element.clientHeight + 1
    if (element.scrollWidth <= element.clientWidth + 1 && !isClamped) continue
    if (element.closest(MAY_BE_CUT) || (!element.closest(LISTS) && element.closest('[title]'))) continue
    problems.add(`${element.className || element.localName} cuts "${text.slice(0, 60)}"`)
  }
  return [...problems]
}
