import './style.css'
import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { fileName } from '#shared/csv.ts'
import { count } from '../../../../lib/format.ts'
import { failureOf } from '../../../../lib/http/api-error.ts'
import { saveFile } from '../../../../lib/save-file.ts'
import { useSession } from '../../../../lib/session/session.ts'
import { formatClock } from '../../../../lib/time/time.ts'
import { useListQuery } from '../../../../lib/use-list-query.ts'
import { ErrorPanel } from '../../../../ui/state/error-panel.tsx'
import { Notice } from '../../../../ui/state/notice.tsx'
import { TitleBlock } from '../../../../ui/title-block.tsx'
import { useCustomer } from '../../customers/customer.tsx'
import { fetchAllDevices } from '../api.ts'
import { FIRST_VIEW, readView, writeView } from '../device-view.ts'
import { ChooseFile } from './choose-file.tsx'
import { projectNames } from './device-file.ts'
import { Differences, TABLE_VIEW } from './differences.tsx'
import { planInPieces } from './plan.ts'
import { bytesOf, FileRefused, rowsOf } from './read-file.ts'
import { SaveFile } from './save-file.tsx'
import type { OpenFile } from './summary.ts'
import { forgetUndo, storedUndo } from './undo-file.ts'

const TITLE = 'Edit devices as CSV'

export default function BulkEditPage() {
  const { customerPath, list: customer, orgName, trail, can, error, isFetching, refetch } = useCustomer()
  const [params] = useSearchParams()
  const filters = writeView({ ...readView(params), page: FIRST_VIEW.page })
  const devices = filters.size > 0 ? `${customerPath}?${filters}` : customerPath
  return (
    <>
      <TitleBlock
        title={TITLE}
        crumbs={[...trail, { label: TITLE }]}
        facts={orgName}
        back={{ to: devices, name: 'Back to the devices' }}
      />
      {error !== undefined ? (
        <ErrorPanel error={error} isFetching={isFetching} refetch={refetch} />
      ) : customer && !can('devices:edit') ? (
        <Notice tone="warn">Your role does not include editing devices of this customer.</Notice>
      ) : (
        customer && <BulkEdit devicesPath={devices} />
      )}
    </>
  )
}

type Reading = { state: 'idle' | 'busy' } | { state: 'failed'; reason: string }

function BulkEdit({ devicesPath }: { devicesPath: string }) {
  const { customerId, list, can } = useCustomer()
  const query = useListQuery(TABLE_VIEW)
  const [file, setFile] = useState<OpenFile | null>(null)
  const [reading, setReading] = useState<Reading>({ state: 'idle' })
  const projects = projectNames(list?.projects ?? [])

  /** Compares a file with the devices as they are now. */
  async function open(name: string, read: () => Promise<Uint8Array> | Uint8Array, isUndo = false) {
    setReading({ state: 'busy' })
    try {
      const { rows, isEncodingGuessed } = await rowsOf(await read())
      const devices = await fetchAllDevices(customerId)
      const plan = await planInPieces({ rows, devices, projects, mayMove: can('devices:move') })
      const named = new Set(plan.map(({ device }) => device))
      const absentCount = devices.filter((device) => !named.has(device)).length
      query.change({ show: TABLE_VIEW.show })
      setFile((previous) => ({
        id: (previous?.id ?? 0) + 1,
        name,
        isUndo,
        isEncodingGuessed,
        plan,
        absentCount
      }))
      setReading({ state: 'idle' })
    } catch (error) {
      const reason = error instanceof FileRefused ? error.message : failureOf(error).text
      setReading({ state: 'failed', reason })
    }
  }

  const openUndo = (text: string) =>
    void open('the previous values', () => new TextEncoder().encode(text), true)

  const problem = reading.state === 'failed' ? `${reading.reason} Nothing was changed.` : null
  if (file)
    return (
      <Differences
        key={file.id}
        file={file}
        query={query}
        projects={projects}
        devicesPath={devicesPath}
        busy={reading.state === 'busy'}
        problem={problem}
        onUndo={openUndo}
        onClose={() => setFile(null)}
      />
    )
  return (
    <>
      <UndoOffer onUndo={openUndo} />
      <ol className="bulk-edit-steps">
        <li className="card stack tight">
          <SaveFile projects={projects} />
        </li>
        <li className="card stack tight">
          <h2>Change it in a spreadsheet</h2>
          <p>
            Change names, locations and projects. Leave all columns and their first row, and leave the cells
            of Device UUID and Version as they are. Rows may be sorted or deleted.
          </p>
          <p className="muted">Then save it as CSV, best as “CSV UTF-8”.</p>
        </li>
        <li className="card stack tight">
          <ChooseFile
            busy={reading.state === 'busy'}
            problem={problem}
            onChoose={(chosen) => void open(chosen.name, () => bytesOf(chosen))}
          />
        </li>
      </ol>
    </>
  )
}

/** Offers the previous values that this browser keeps, as after a tab was closed in the middle. */
function UndoOffer({ onUndo }: { onUndo: (text: string) => void }) {
  const { customerId, orgName = '' } = useCustomer()
  const { nowMs } = useSession()
  const [undo, setUndo] = useState(() => storedUndo(customerId))
  if (undo === null) return null
  const { fileName: changedBy, atMs, deviceCount, text } = undo
  return (
    <section className="card stack tight undo-offer" aria-label="Previous values">
      <p>
        {changedBy} changed up to {count(deviceCount, 'device')} at {formatClock(atMs, nowMs())}. Their
        previous values are kept in this browser until you sign out or apply another file.
      </p>
      <div className="row">
        <button type="button" className="button" onClick={() => onUndo(text)}>
          Compare with the previous values
        </button>
        <button
          type="button"
          className="button"
          onClick={() => saveFile(fileName(['undo edit devices', orgName], 'csv'), text)}
        >
          Save undo file
        </button>
        <button
          type="button"
          className="button quiet"
          onClick={() => {
            forgetUndo(customerId)
            setUndo(null)
          }}
        >
          Forget them
        </button>
      </div>
    </section>
  )
}
