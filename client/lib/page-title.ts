// The title of the browser's tab: the page's title, or an urgent one instead; a dot marks unread news, a number alarms.
import { useEffect } from 'react'
import { createStore } from 'zustand/vanilla'
import { useSeen } from './browser.ts'

const DOT = '● '

interface PageTitle {
  /** Null while the title loads. */
  page: string | null
  /** Shown instead of the page's title. */
  urgent: string | null
  hasNews: boolean
  /** A number in brackets in front of the title; 0 for none. */
  count: number
}

export const pageTitle = createStore<PageTitle>(() => ({
  page: null,
  urgent: null,
  hasNews: false,
  count: 0
}))

pageTitle.subscribe(({ page, urgent, hasNews, count }) => {
  const ownTitle = page ? `${page} · Portal` : 'Portal'
  const title = urgent ?? (count > 0 ? `(${count}) ${ownTitle}` : ownTitle)
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

/** Shows a number in front of the title while the page is hidden. */
export function useCountWhileHidden(count: number): void {
  const isSeen = useSeen()
  const shownCount = isSeen ? 0 : count
  useEffect(() => {
    pageTitle.setState({ count: shownCount })
    return () => pageTitle.setState({ count: 0 })
  }, [shownCount])
}
