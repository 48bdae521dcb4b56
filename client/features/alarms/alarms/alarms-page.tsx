import type { ReactNode } from 'react'
import { paths } from '../../../lib/paths.ts'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { ErrorPanel } from '../../../ui/state/error-panel.tsx'
import { TitleBlock } from '../../../ui/title-block.tsx'
import { useCustomer } from '../../sites/customers/customer.tsx'
import { NotifyButton } from '../desktop-notifications/notify-button.tsx'
import { AlarmBoard } from './alarm-board.tsx'
import { useCustomerScope } from './scope.ts'

export default function AlarmsPage() {
  const { customerPath, orgName, can, trail, error, isFetching, refetch } = useCustomer()
  const scope = useCustomerScope(null)
  const title = (live: ReactNode) => (
    <TitleBlock
      title="Alarms"
      crumbs={[...trail, { label: 'Alarms' }]}
      facts={
        <>
          {orgName ?? '\u00a0'}
          {live && <> · {live}</>}
        </>
      }
      actions={
        <>
          <NotifyButton />
          {can('data:query-model') && (
            <PrefetchLink to={paths.dataService(customerPath)} className="button">
              Data Service
            </PrefetchLink>
          )}
        </>
      }
    />
  )
  if (error === undefined) return <AlarmBoard scope={scope} title={title} />
  return (
    <>
      {title(null)}
      <ErrorPanel error={error} isFetching={isFetching} refetch={refetch} />
    </>
  )
}
