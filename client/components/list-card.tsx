import type { ReactNode } from 'react'
import { ErrorPanel } from './error-panel.tsx'
import { Notice } from './notice.tsx'
import { ProgressBar } from './progress-bar.tsx'
import { Skeleton } from './skeleton.tsx'

interface ListCardProps {
  /** Names the list for those who do not see it. */
  label: string
  /** Whether there is something to show, be it from before. */
  loaded: boolean
  failure: { title: string; text: string; requestId: string | null } | null
  busy: boolean
  onReload: () => void
  toolbar?: ReactNode
  chips?: ReactNode
  /** Takes the place of the rows when there are none. */
  empty?: ReactNode
  children: ReactNode
  foot?: ReactNode
}

const SKELETONS = ['60%', '45%', '70%', '50%', '65%', '55%']

/** A list with its filters and its states: loading, failed, failed to reload, empty, and there. */
export function ListCard(props: ListCardProps) {
  const { label, loaded, failure, busy, onReload, toolbar, chips, empty, children, foot } = props
  return (
    <section className="card list-card" aria-label={label}>
      <ProgressBar busy={busy && loaded} />
      {toolbar && <div className="toolbar">{toolbar}</div>}
      {chips}
      {failure && loaded && (
        <Notice tone="warn" action={{ label: 'Refresh', onAct: onReload }}>
          {failure.title}. What shows below may be out of date.
        </Notice>
      )}
      {failure && !loaded && <ErrorPanel failure={failure} busy={busy} onRefresh={onReload} />}
      {!failure && !loaded && (
        <div className="list-skeleton" role="status">
          <span className="sr-only">Loading {label.toLowerCase()}</span>
          {SKELETONS.map((width) => (
            <Skeleton key={width} width={width} />
          ))}
        </div>
      )}
      {loaded && (empty || children)}
      {loaded && !empty && foot && <div className="card-foot">{foot}</div>}
    </section>
  )
}
