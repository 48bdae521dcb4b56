import { landingOf } from '#shared/landing.ts'
import { UnsubscribePrompt } from '../features/people/notifications/unsubscribe-prompt.tsx'
import CustomersPage from '../features/sites/customers/customers-page.tsx'
import { useSession } from '../lib/session/session.ts'
import { TitleBlock } from '../ui/title-block.tsx'

/** Target of the unsubscribe link in e-mails. The prompt opens over the customer list, or over an empty page if there is none. */
export default function Unsubscribe() {
  const hasList = landingOf(useSession()).to === 'customers'
  return (
    <>
      {hasList ? <CustomersPage /> : <TitleBlock title="E-mail notifications" crumbs={[{ label: 'Home' }]} />}
      <UnsubscribePrompt />
    </>
  )
}
