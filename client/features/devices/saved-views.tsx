// Named views of a customer's devices: filters, sort and columns. The browser stores them by person. An address
// holds a whole view, so that it can be shared.
import Plus from 'lucide-react/icons/plus'
import X from 'lucide-react/icons/x'
import { useState } from 'react'
import type { DevicePage } from '#shared/entities.ts'
import { formatNumber } from '../../lib/format.ts'
import type { Load } from '../../lib/http/query.ts'
import { useStored } from '../../lib/use-stored.ts'
import { showDialog } from '../../ui/dialog/dialogs.ts'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { TextField } from '../../ui/input/field.tsx'
import { IconButton } from '../../ui/input/icon-button.tsx'
import { RefreshButton, Updated } from '../../ui/list/refresh-button.tsx'
import { PrefetchLink } from '../../ui/prefetch-link.tsx'
import { type ProjectEntry, useCustomer } from '../customers/customer.ts'
import { useSession } from '../session/session.ts'
import { useDeviceCount } from './api.ts'
import { type DeviceQuery, type DeviceView, FIRST_VIEW, readView, writeView } from './device-view.ts'

/** Each view needs a call for its count. */
const VIEWS_MAX = 8
const NAME_MAX_CHARACTERS = 40
const AGE_MS = 10_000

/** Replaces the view of the same name, or adds the view. */
export function withView(views: readonly DeviceView[], view: DeviceView): DeviceView[] {
  const saved = { ...view, page: FIRST_VIEW.page }
  const at = views.findIndex((one) => one.view === view.view)
  return at < 0 ? [...views, saved] : views.with(at, saved)
}

/** Compares two views without their page. */
export function sameView(one: DeviceView, other: DeviceView): boolean {
  return String(writeView({ ...one, page: '1' })) === String(writeView({ ...other, page: '1' }))
}

/** Reads remembered views like addresses; drops invalid ones. */
export function readSaved(stored: unknown): DeviceView[] {
  if (!Array.isArray(stored)) return []
  return stored
    .map((query) => ({ ...readView(new URLSearchParams(String(query))), page: '1' }))
    .filter(({ view }) => view !== '')
}

function useSavedViews(customerId: string): [DeviceView[], (views: DeviceView[]) => void] {
  const { user } = useSession()
  const [stored, setStored] = useStored<unknown>(`portal.device-views.${user.id}.${customerId}`, [])
  return [readSaved(stored), (views) => setStored(views.map((view) => String(writeView(view))))]
}

interface SavedViewsProps {
  query: DeviceQuery
  project: ProjectEntry | undefined
  load: Load<DevicePage>
}

/** The saved views, and the age of the list. */
export function SavedViews({ query, project, load }: SavedViewsProps) {
  const { customerId, list } = useCustomer()
  const [views, setViews] = useSavedViews(customerId)
  const { values, change, searchFor } = query
  const saved = views.find(({ view }) => view === values.view)
  const isShared = values.view !== '' && !saved
  const everything = { ...FIRST_VIEW, project: values.project }
  const refusal = refusalOf(values, saved, everything, views.length)
  const askName = () =>
    showDialog((close) => (
      <SaveView
        initial={values.view}
        taken={views.map(({ view }) => view)}
        onSave={(view) => {
          setViews(withView(views, { ...values, view }))
          change({ view })
        }}
        onClose={close}
      />
    ))
  return (
    <>
      <nav aria-label="Views">
        <ul>
          <li>
            <ViewLink
              to={searchFor(everything)}
              name="All"
              count={project ? project.deviceCount : list?.totals.devices}
              current={values.view === ''}
            />
          </li>
          {[...views, ...(isShared ? [values] : [])].map((one) => (
            <li key={one.view}>
              <CountedLink view={one} to={searchFor(one)} current={one.view === values.view} />
              {one === saved && (
                <IconButton
                  small
                  name={`Delete the view ${one.view}`}
                  title="Delete view"
                  Icon={X}
                  onPress={() => {
                    setViews(views.filter((other) => other !== one))
                    change(everything)
                  }}
                />
              )}
            </li>
          ))}
        </ul>
      </nav>
      <button
        type="button"
        className="button quiet"
        aria-disabled={refusal !== null}
        title={refusal ?? undefined}
        onClick={() => refusal === null && askName()}
      >
        <Plus />
        Save view
      </button>
      <span className="line hint push">
        <Updated busy={load.busy} failed={load.error !== undefined} everyMs={AGE_MS} />
        <RefreshButton name="Refresh the list" busy={load.busy} onRefresh={load.reload} />
      </span>
    </>
  )
}

/** The reason that the view cannot be saved; null when it can. */
function refusalOf(
  view: DeviceView,
  saved: DeviceView | undefined,
  everything: DeviceView,
  count: number
): string | null {
  if (sameView(view, saved ?? everything))
    return saved ? 'This view is saved' : 'Filter, sort or choose columns first'
  return !saved && count >= VIEWS_MAX ? `At most ${VIEWS_MAX} views can be saved` : null
}

interface ViewLinkProps {
  to: string
  name: string
  count: number | undefined
  current: boolean
}

function CountedLink({ view, ...link }: { view: DeviceView } & Pick<ViewLinkProps, 'to' | 'current'>) {
  const { customerId } = useCustomer()
  return <ViewLink {...link} name={view.view} count={useDeviceCount(customerId, view)} />
}

function ViewLink({ to, name, count, current }: ViewLinkProps) {
  return (
    <PrefetchLink to={to} className="view-link" aria-current={current ? 'true' : undefined}>
      {name}
      {count !== undefined && <span className="badge plain">{formatNumber(count)}</span>}
    </PrefetchLink>
  )
}

interface SaveViewProps {
  initial: string
  /** Existing names; saving replaces their view. */
  taken: readonly string[]
  onSave: (name: string) => void
  onClose: () => void
}

function SaveView({ initial, taken, onSave, onClose }: SaveViewProps) {
  const [name, setName] = useState(initial)
  const wanted = name.trim()
  return (
    <FormDialog
      title="Save view"
      saveLabel={taken.includes(wanted) ? 'Replace' : 'Save'}
      ready={wanted !== ''}
      enter
      onSave={() => {
        onSave(wanted)
        onClose()
      }}
      onClose={onClose}
    >
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        help="Saves filters, sort and columns in this browser. To share a view, send its address."
        maxLength={NAME_MAX_CHARACTERS}
        autoFocus
        required
        autoComplete="off"
      />
    </FormDialog>
  )
}
