import SearchX from 'lucide-react/icons/search-x'
import type { ReactNode } from 'react'
import { failureOf } from '../../lib/http/api-error.ts'
import { ErrorPanel } from '../state/error-panel.tsx'
import { ProgressBar } from '../state/loading.tsx'
import { StaleNotice } from '../state/notice.tsx'
import { Panel } from '../state/panel.tsx'
import { ListSkeleton } from './list-skeleton.tsx'

interface ListLoad {
  /** What there is, be it from before; undefined until it is loaded. */
  data: unknown
  error: unknown
  busy: boolean
  reload: () => void
}

export interface ListCardProps {
  /** Names the list. */
  label: string
  className?: string
  load: ListLoad
  /** How many rows a page has. */
  size: number
  /** What may be out of date when it could not be loaded again. */
  stale?: string
  toolbar?: ReactNode
  chips?: ReactNode
  /** What is said above the rows, also while there are none. */
  notices?: ReactNode
  /** Takes the place of the rows when there are none. */
  empty?: ReactNode
  children: ReactNode
  foot?: ReactNode
}

/** A list with its filters and its states: loading, failed, failed to reload, empty, and there. */
export function ListCard(props: ListCardProps) {
  const { label, className = 'list-card', load, size, stale = 'What shows below' } = props
  const { toolbar, chips, notices, empty, children, foot } = props
  const { error, busy, reload } = load
  const loaded = load.data !== undefined
  const failure = error === undefined ? null : failureOf(error)
  return (
    <section className={`card ${className}`} aria-label={label}>
      <h2 className="sr-only">{label}</h2>
      <ProgressBar busy={busy && loaded} />
      {toolbar && <div className="toolbar">{toolbar}</div>}
      {chips}
      {notices}
      {failure && loaded && <StaleNotice error={error} what={stale} onRefresh={reload} />}
      {failure && !loaded && <ErrorPanel failure={failure} busy={busy} onRefresh={reload} />}
      {!failure && !loaded && <ListSkeleton label={`Loading ${label.toLowerCase()}`} rows={size} />}
      {loaded && (empty || children)}
      {loaded && !empty && foot && <div className="card-foot">{foot}</div>}
    </section>
  )
}

interface NoMatchProps {
  title: string
  clearLabel?: string
  onClear: () => void
}

/** There are rows, but the filters find none of them. */
export function NoMatch({ title, clearLabel = 'Clear filters', onClear }: NoMatchProps) {
  return (
    <Panel
      icon={SearchX}
      headingLevel={3}
      title={title}
      actions={
        <button type="button" className="button" onClick={onClear}>
          {clearLabel}
        </button>
      }
    />
  )
}
