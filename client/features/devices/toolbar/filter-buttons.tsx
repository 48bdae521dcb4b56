import { lazy, Suspense, useState } from 'react'
import { useFetchAhead, useIdle, useLazy } from '../../../lib/use-lazy.ts'
import { FilterButton } from '../../../ui/list/filters/filter-button.tsx'
import { toasts } from '../../../ui/state/toasts.ts'
import type { DevicesProps } from '../list/devices-props.ts'
import type { ToolbarProps } from './device-toolbar.tsx'

const FilterSheet = lazy(() => import('./device-filter-sheet.tsx'))

/** Opens filters and order; on a tablet a project is chosen beside it. */
export function DeviceFilterButton({ withProject, ...props }: ToolbarProps & { withProject: boolean }) {
  const [open, setOpen] = useState(false)
  const { view } = props.control
  const held = [withProject && view.project !== null, view.service, view.expires !== null, view.plan].filter(
    Boolean
  ).length
  return (
    <>
      <FilterButton
        label={withProject ? 'Filter and sort' : 'Filter'}
        held={held}
        onOpen={() => setOpen(true)}
      />
      {open && (
        <Suspense>
          <FilterSheet {...props} withProject={withProject} onClose={() => setOpen(false)} />
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
