// Named views of a customer's devices: filters, sort and columns. The browser stores the views of each person.
// A page address contains a whole view, so that people can share the view.
import Plus from 'lucide-react/icons/plus'
import X from 'lucide-react/icons/x'
import { useState } from 'react'
import type { DevicePage } from '#shared/answers/customers.ts'
import { formatNumber } from '../../../lib/format.ts'
import type { QueryResult } from '../../../lib/http/query.ts'
import { useSession } from '../../../lib/session/session.ts'
import { recall } from '../../../lib/storage.ts'
import { useStored } from '../../../lib/use-stored.ts'
import { showDialog } from '../../../ui/dialog/dialogs.tsx'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { TextField } from '../../../ui/input/field.tsx'
import { IconButton } from '../../../ui/input/icon-button.tsx'
import { Updated } from '../../../ui/list/refresh-button.tsx'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { toasts } from '../../../ui/state/toasts.ts'
import { type ProjectEntry, useCustomer } from '../customers/customer.tsx'
import { useDeviceCount } from './api.ts'
import { type DeviceQuery, type DeviceView, FIRST_VIEW, readView, writeView } from './device-view.ts'

/** Maximum number of views, because each view needs a request for its count. */
const VIEWS_MAX = 8
const TOO_MANY = `At most ${VIEWS_MAX} views can be saved`
const NAME_MAX_CHARACTERS = 40
const AGE_UPDATE_MS = 10_000

/** Replaces the view of the same name, or adds the view. */
export function withView(views: readonly DeviceView[], view: DeviceView): DeviceView[] {
  const newView = { ...view, page: FIRST_VIEW.page }
  const index = views.findIndex((listed) => listed.view === view.view)
  return index < 0 ? [...views, newView] : views.with(index, newView)
}

/** Compares two views without their page. */
export function sameView(view: DeviceView, other: DeviceView): boolean {
  return String(writeView({ ...view, page: '1' })) === String(writeView({ ...other, page: '1' }))
}

/** Parses stored views like page addresses. Drops views without a name. */
export function readSaved(stored: unknown): DeviceView[] {
  if (!Array.isArray(stored)) return []
  return stored
    .map((query) => ({ ...readView(new URLSearchParams(String(query))), page: '1' }))
    .filter(({ view }) => view !== '')
}

type ViewsChange = (views: DeviceView[]) => DeviceView[]

/** The saved views, and a function that changes them; false if the browser could not store the change. */
function useSavedViews(customerId: string): [DeviceView[], (change: ViewsChange) => boolean] {
  const { user } = useSession()
  const key = `portal.device-views.${user.id}.${customerId}`
  const [queries, setQueries] = useStored<unknown>(key, [])
  return [
    readSaved(queries),
    (change) => {
      // Another tab may have changed the views meanwhile.
      const currentViews = readSaved(recall(key) ?? queries)
      return setQueries(change(currentViews).map((view) => String(writeView(view))))
    }
  ]
}

interface SavedViewsProps {
  query: DeviceQuery
  project: ProjectEntry | undefined
  load: QueryResult<DevicePage>
}

/** Links to the saved views, and the age of the device list. */
export function SavedViews({ query, project, load }: SavedViewsProps) {
  const { customerId, list } = useCustomer()
  const [views, changeViews] = useSavedViews(customerId)
  const { values, change, searchFor } = query
  const savedView = views.find(({ view }) => view === values.view)
  const isShared = values.view !== '' && !savedView
  const unfilteredView = { ...FIRST_VIEW, project: values.project }
  const refusal = refusalOf(values, savedView, unfilteredView, views.length)
  const askName = () =>
    showDialog((close) => (
      <SaveView
        initial={values.view}
        takenNames={views.map(({ view }) => view)}
        onSave={(view) => {
          const isStored = changeViews((current) => withView(current, { ...values, view }))
          if (!isStored) toasts.failed('The view could not be stored in this browser.')
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
              to={searchFor(unfilteredView)}
              name={project?.projectName ?? 'All'}
              count={project ? project.deviceCount : list?.totals.devices}
              current={values.view === ''}
            />
          </li>
          {[...views, ...(isShared ? [values] : [])].map((listed) => (
            <li key={listed.view}>
              <CountedLink view={listed} to={searchFor(listed)} current={listed.view === values.view} />
              {listed === savedView && (
                <IconButton
                  small
                  name={`Delete the view ${listed.view}`}
                  title="Delete view"
                  Icon={X}
                  onPress={() => {
                    changeViews((current) => current.filter(({ view }) => view !== listed.view))
                    change(unfilteredView)
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
        <Updated busy={load.isFetching} failed={load.error !== undefined} everyMs={AGE_UPDATE_MS} />
      </span>
    </>
  )
}

/** Why the view cannot be saved; null if it can. */
function refusalOf(
  view: DeviceView,
  savedView: DeviceView | undefined,
  unfilteredView: DeviceView,
  count: number
): string | null {
  if (sameView(view, savedView ?? unfilteredView))
    return savedView ? 'This view is saved' : 'Filter, sort or choose columns first'
  return !savedView && count >= VIEWS_MAX ? TOO_MANY : null
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
  /** Names of the saved views. Saving under such a name replaces its view. */
  takenNames: readonly string[]
  onSave: (name: string) => void
  onClose: () => void
}

function SaveView({ initial, takenNames, onSave, onClose }: SaveViewProps) {
  const [name, setName] = useState(initial)
  const trimmedName = name.trim()
  const replaces = takenNames.includes(trimmedName)
  const isTooMany = trimmedName !== '' && !replaces && takenNames.length >= VIEWS_MAX
  return (
    <FormDialog
      title="Save view"
      saveLabel={replaces ? 'Replace' : 'Save'}
      ready={trimmedName !== '' && !isTooMany}
      enter
      onSave={() => {
        onSave(trimmedName)
        onClose()
      }}
      onClose={onClose}
    >
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        error={isTooMany ? `${TOO_MANY}. Type the name of a saved view to replace it.` : null}
        help="Saves filters, sort and columns in this browser. To share a view, send its address."
        maxLength={NAME_MAX_CHARACTERS}
        autoFocus
        required
        autoComplete="off"
      />
    </FormDialog>
  )
}
