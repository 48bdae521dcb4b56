// The frame around the first list, with the words of its title (app/frame, ui/title-block.tsx).
import { type Child, element, iconPlace, toolsPlace } from './element.ts'

interface Words {
  title: string
  facts: string
  crumbs: readonly { label: string; to?: string }[]
  /** Where the arrow before the title leads. */
  back?: string | null
  /** Whether tools stand beside the title. */
  tools?: boolean
}

export function pageOf(
  { title, facts, crumbs, back = null, tools = false }: Words,
  ...content: readonly Child[]
): HTMLElement {
  const brand = document.querySelector('#root .brand')?.cloneNode(true) ?? null
  const trail = crumbs.map(({ label, to }) =>
    element(
      'li',
      {},
      to ? element('a', { href: to }, label) : element('span', { 'aria-current': 'page' }, label)
    )
  )
  return element(
    'div',
    { class: 'frame', id: 'first-list' },
    element('header', { class: 'frame-header' }, brand),
    element(
      'div',
      { class: 'frame-body' },
      element('div', { class: 'sidebar' }),
      element(
        'div',
        { class: 'frame-content' },
        element(
          'main',
          {},
          element(
            'div',
            { class: 'title-block' },
            element('nav', { class: 'breadcrumbs', 'aria-label': 'Breadcrumb' }, element('ol', {}, ...trail)),
            element(
              'div',
              { class: 'title-row' },
              back &&
                element(
                  'a',
                  { class: 'button quiet icon back', href: back, 'aria-label': 'Back to home' },
                  iconPlace()
                ),
              element(
                'div',
                { class: 'title-words' },
                element('h1', {}, title),
                element('p', { class: 'facts' }, facts)
              ),
              tools ? element('div', { class: 'title-actions' }, toolsPlace()) : null
            )
          ),
          ...content
        )
      )
    )
  )
}
