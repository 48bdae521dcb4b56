import RefreshCw from 'lucide-react/icons/refresh-cw'
import { mayAnywhere } from '#shared/permissions.ts'
import { type AuditFilter, useAuditActions } from '../../api/audit-log.ts'
import { SelectField, TextField } from '../../components/field.tsx'
import { FilterChips } from '../../components/filter-chips.tsx'
import { FilterMenu } from '../../components/filter-menu.tsx'
import { FilterSheet } from '../../components/filter-sheet.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { CustomerChoice } from '../../deeds/customer-choice.tsx'
import { actionName, OUTCOMES, RESOURCE_TYPES } from '../../lib/audit-sentences.ts'
import { dayBegin, dayEnd } from '../../lib/day-range.ts'
import { useSession } from '../../session/session.ts'
import { type ListQuery, listOf } from '../../session/use-list-query.ts'
import { ActorChoice } from './actor-choice.tsx'

export const FIRST_VIEW = {
  range: '24h',
  from: '',
  to: '',
  q: '',
  actorId: '',
  actorName: '',
  action: '',
  type: '',
  resourceId: '',
  resourceName: '',
  customerId: '',
  customerName: '',
  outcome: '',
  sort: 'timestamp',
  order: 'desc',
  page: '1'
}

export type AuditView = typeof FIRST_VIEW
export type AuditQuery = ListQuery<AuditView>

const HOUR_MS = 3_600_000
const RANGES: Record<string, { label: string; ms: number }> = {
  '24h': { label: 'Last 24 hours', ms: 24 * HOUR_MS },
  '7d': { label: 'Last 7 days', ms: 7 * 24 * HOUR_MS },
  '30d': { label: 'Last 30 days', ms: 30 * 24 * HOUR_MS }
}

/** The call's filter. Relative ranges end at `nowMs`; custom ones are whole days of the zone. */
export function filterOf(view: AuditView, nowMs: number, zone: string): AuditFilter {
  const range = RANGES[view.range]
  const custom = {
    from: dayBegin(view.from, zone),
    to: dayEnd(view.to, zone)
  }
  const relative = range && { from: new Date(nowMs - range.ms).toISOString(), to: '' }
  return {
    ...(relative ?? custom),
    keyword: view.q,
    actorId: view.actorId,
    actions: listOf(view.action),
    resourceType: view.type,
    resourceId: view.resourceId,
    customerId: view.customerId,
    outcome: view.outcome
  }
}

/** What the chips show and clear. */
const FILTERS = [
  'action',
  'actorId',
  'actorName',
  'resourceId',
  'resourceName',
  'customerId',
  'customerName',
  'type',
  'outcome'
] as const

/** By the value of `sort` and of `order`. */
const ORDERS = [
  { value: 'timestamp desc', label: 'Newest first' },
  { value: 'timestamp asc', label: 'Oldest first' },
  { value: 'customerName asc', label: 'By customer' },
  { value: 'outcome asc', label: 'By outcome' }
]

interface AuditToolbarProps {
  organizationId: string | null
  query: AuditQuery
  busy: boolean
  onRefresh: () => void
}

export function AuditToolbar({ organizationId, query, busy, onRefresh }: AuditToolbarProps) {
  const { values, change } = query
  return (
    <>
      <SearchField label="Person, object or customer" value={values.q} onSearch={(q) => change({ q })} />
      <FilterSheet
        query={query}
        count={chipsOf(query).length + (values.range === FIRST_VIEW.range ? 0 : 1)}
        defaults={FIRST_VIEW}
        names={[...FILTERS, 'range']}
      >
        {(edited) => <AuditFields organizationId={organizationId} {...edited} />}
      </FilterSheet>
      <div className="toolbar-end">
        <button type="button" className="button" aria-disabled={busy} onClick={() => busy || onRefresh()}>
          <RefreshCw />
          Refresh
        </button>
      </div>
    </>
  )
}

type AuditFieldsProps = Pick<AuditQuery, 'values' | 'change'> & { organizationId: string | null }

function AuditFields({ organizationId, values, change }: AuditFieldsProps) {
  const { user, customers } = useSession()
  const actions = useAuditActions(organizationId)
  return (
    <>
      <SelectField
        label="Time"
        value={values.range}
        onChange={(range) => change({ range })}
        options={[
          ...Object.entries(RANGES).map(([value, { label }]) => ({ value, label })),
          { value: 'custom', label: 'Custom range' }
        ]}
      />
      {values.range === 'custom' && (
        <>
          <TextField label="From" type="date" value={values.from} onChange={(from) => change({ from })} />
          <TextField label="To" type="date" value={values.to} onChange={(to) => change({ to })} />
        </>
      )}
      <SelectField
        label="Object"
        value={values.type}
        onChange={(type) => change({ type })}
        options={[
          { value: '', label: 'Any object' },
          ...RESOURCE_TYPES.map((value) => ({ value, label: actionName(value) }))
        ]}
      />
      <SelectField
        label="Outcome"
        value={values.outcome}
        onChange={(outcome) => change({ outcome })}
        options={[
          { value: '', label: 'Any outcome' },
          ...Object.entries(OUTCOMES).map(([value, { label }]) => ({ value, label }))
        ]}
      />
      {mayAnywhere(user.roleAssignments, 'users:view') && (
        <ActorChoice
          organizationId={organizationId}
          chosen={values.actorId ? { id: values.actorId, name: values.actorName || values.actorId } : null}
          onChoose={(one) => change({ actorId: one?.id ?? '', actorName: one?.name ?? '' })}
        />
      )}
      {customers.only === null && (
        <CustomerChoice
          organizationId={organizationId}
          chosen={
            values.customerId
              ? { id: values.customerId, name: values.customerName || values.customerId }
              : null
          }
          onChoose={(one) => change({ customerId: one?.id ?? '', customerName: one?.name ?? '' })}
        />
      )}
      <SelectField
        label="Order"
        value={`${values.sort} ${values.order}`}
        onChange={(value) => {
          const [sort = '', order = ''] = value.split(' ')
          change({ sort, order })
        }}
        options={ORDERS}
      />
      <FilterMenu
        label="Action"
        choices={(actions.data ?? []).map((value) => ({ value, label: actionName(value) }))}
        chosen={listOf(values.action)}
        onChange={(chosen) => change({ action: chosen.join(',') })}
      />
    </>
  )
}

export function AuditChips({ query }: { query: AuditQuery }) {
  return <FilterChips chips={chipsOf(query)} onClear={() => query.clear(...FILTERS)} />
}

function chipsOf({ values, change, clear }: AuditQuery) {
  return [
    ...listOf(values.action).map((action) => ({
      label: `Action: ${actionName(action)}`,
      onRemove: () =>
        change({
          action: listOf(values.action)
            .filter((one) => one !== action)
            .join(',')
        })
    })),
    ...(values.actorId
      ? [
          {
            label: `Who: ${values.actorName || values.actorId}`,
            onRemove: () => clear('actorId', 'actorName')
          }
        ]
      : []),
    ...(values.resourceId
      ? [
          {
            label: `Object: ${values.resourceName || values.resourceId}`,
            onRemove: () => clear('resourceId', 'resourceName')
          }
        ]
      : []),
    ...(values.customerId
      ? [
          {
            label: `Customer: ${values.customerName || values.customerId}`,
            onRemove: () => clear('customerId', 'customerName')
          }
        ]
      : []),
    ...(values.type ? [{ label: `Kind: ${actionName(values.type)}`, onRemove: () => clear('type') }] : []),
    ...(values.outcome
      ? [{ label: OUTCOMES[values.outcome]?.label ?? values.outcome, onRemove: () => clear('outcome') }]
      : [])
  ]
}
