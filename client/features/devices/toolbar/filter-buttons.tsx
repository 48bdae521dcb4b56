import Sliders from 'lucide-react/icons/sliders-horizontal'
import { lazy, Suspense, useState } from 'react'
import { useFetchAhead, useIdle, useLazy } from '../../../lib/use-lazy.ts'
import { toasts } from '../../../ui/state/toasts.ts'
import type { DevicesProps } from '../list/devices-props.ts'
import type { ToolbarProps } from './device-toolbar.tsx'

const FilterSheet = lazy(() => import('./device-filter-sheet.tsx'))

/** Opens filters and order; says how many filters hold. */
export function FilterButton({ children, ...props }: ToolbarProps & { children?: string }) {
  const [open, setOpen] = useState(false)
  const { view } = props.control
  const project = children === undefined && view.project !== null
  const held = [project, view.service, view.expires !== null, view.plan].filter(Boolean).length
  return (
    <>
      <button
        type="button"
        className={`button filters-button ${children ? '' : 'icon'}`}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Sliders />
        <span className={children ? undefined : 'sr-only'}>{children ?? 'Filter and sort'}</span>
        {held > 0 && (
          <span className="tab-count">
            {held}
            <span className="sr-only"> chosen</span>
          </span>
        )}
      </button>
      {open && (
        <Suspense>
          <FilterSheet {...props} withProject={children === undefined} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

interface ProjectButtonProps extends Pick<DevicesProps, 'list' | 'control'> {
  fetchFilter: DevicesProps['projects']['fetchFilter']
  children: React.ReactNode
}

/** Opens the choice of a project. */
export function ProjectButton({ list, control, fetchFilter, children }: ProjectButtonProps) {
  const [choosing, setChoosing] = useState(false)
  useFetchAhead(fetchFilter, useIdle())
  const ProjectFilter = useLazy(fetchFilter, choosing, () => {
    setChoosing(false)
    toasts.failed('The projects could not be fetched.', { label: 'Retry', onAct: () => setChoosing(true) })
  })
  return (
    <>
      <button
        type="button"
        className="button project-button"
        aria-haspopup="dialog"
        onClick={() => setChoosing(true)}
      >
        <span className="sr-only">Filter by project: </span>
        {children}
      </button>
      {choosing && ProjectFilter && (
        <ProjectFilter list={list} control={control} onClose={() => setChoosing(false)} />
      )}
    </>
  )
}
