import './list.css'
import SearchX from 'lucide-react/icons/search-x'
import type { ReactNode } from 'react'
import { ErrorPanel } from '../state/error-panel.tsx'
import { ProgressBar, Skeleton } from '../state/loading.tsx'
import { StaleNotice } from '../state/notice.tsx'
import { Panel } from '../state/panel.tsx'

export interface ListLoad {
  /** The list's data, possibly out of date; undefined until loaded. */
  data: unknown
  error: unknown
  isFetching: boolean
  refetch: () => void
}

interface ListFrameProps {
  label: string
  className?: string | undefined
  load: ListLoad
  size: number
  /** Names the content that is out of date after a failed reload. */
  stale?: string
  /** Content next to the list's name. Without this content, the name is for screen readers only. */
  head?: ReactNode
  toolbar?: ReactNode
  chips?: ReactNode
  /** Content above the rows, also while there are no rows. */
  notices?: ReactNode
  /** Shown instead of the rows if there are no rows. */
  empty?: ReactNode
  children: ReactNode
  foot?: ReactNode
}

/** A list with its filters and its states: loading, failed, stale, empty and loaded. */
export function ListFrame(props: ListFrameProps) {
  const { label, className = '', load, size, stale = 'The content below' } = props
  const { head, toolbar, chips, notices, empty, children, foot } = props
  const { error, isFetching, refetch } = load
  const loaded = load.data !== undefined
  const failed = error !== undefined
  return (
    <section className={`card list-card ${className}`} aria-label={label}>
      <ProgressBar busy={isFetching && loaded} />
      {head ? (
        <div className="line list-head">
          <h2>{label}</h2>
          {head}
        </div>
      ) : (
        <h2 className="sr-only">{label}</h2>
      )}
      {toolbar && <div className="row toolbar">{toolbar}</div>}
      {chips}
      {notices}
      {failed && loaded && <StaleNotice error={error} what={stale} onRefresh={refetch} />}
      {failed && !loaded && <ErrorPanel {...load} />}
      {!failed && !loaded && <ListSkeleton label={`Loading ${label.toLowerCase()}`} rows={size} />}
      {loaded && (empty || children)}
      {loaded && !empty && foot && <div className="row card-foot">{foot}</div>}
    </section>
  )
}

interface NoMatchProps {
  title: string
  clearLabel?: string
  onClear: () => void
  children?: ReactNode
}

export function NoMatch({ title, clearLabel = 'Clear filters', onClear, children }: NoMatchProps) {
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
    >
      {children}
    </Panel>
  )
}

const WIDTHS = ['68%', '82%', '60%', '74%', '55%']

/** A placeholder as high as the rows, so that nothing shifts when the rows load. */
function ListSkeleton({ label, rows }: { label: string; rows: number }) {
  return (
    <div className="table-skeleton" role="status">
      <span className="sr-only">{label}</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are equal
        <div key={row}>
          {WIDTHS.map((_width, column) => {
            const width = WIDTHS[(row + column) % WIDTHS.length] ?? '60%'
            return <Skeleton key={width} width={width} />
          })}
        </div>
      ))}
    </div>
  )
}
