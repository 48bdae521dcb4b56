// The title of the browser's tab: the page's title, or an urgent one instead; a dot marks unread news.
import { useEffect } from 'react'
import { createStore } from 'zustand/vanilla'

const DOT = '● '

interface PageTitle {
  /** Null while the title loads. */
  page: string | null
  /** Shown instead of the page's title. */
  urgent: string | null
  hasNews: boolean
}

export const pageTitle = createStore<PageTitle>(() => ({ page: null, urgent: null, hasNews: false }))

pageTitle.subscribe(({ page, urgent, hasNews }) => {
  const title = urgent ?? (page ? `${page} · Portal` : 'Portal')
  document.title = hasNews ? DOT + title : title
})

/** Sets the title of the page; null while it loads. */
export function usePageTitle(title: string | null): void {
  useEffect(() => pageTitle.setState({ page: title }), [title])
}

/** Shows this title while mounted. */
export function useUrgentTitle(title: string): void {
  useEffect(() => pageTitle.setState({ urgent: title }), [title])
  useEffect(() => () => pageTitle.setState({ urgent: null }), [])
}

/** Shows a dot in front of the title while `hasNews` is true. */
export function useNewsDot(hasNews: boolean): void {
  useEffect(() => {
    if (!hasNews) return
    pageTitle.setState({ hasNews: true })
    return () => pageTitle.setState({ hasNews: false })
  }, [hasNews])
}
