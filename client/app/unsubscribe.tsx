import { landingOf } from '#shared/landing.ts'
import { CustomersPage } from '../features/customers/customers-page.tsx'
import { UnsubscribePrompt } from '../features/notifications/unsubscribe-prompt.tsx'
import { useSession } from '../features/session/session.ts'
import { TitleBlock } from '../ui/title-block.tsx'

/** Where the link in an e-mail leads: the question on top of the customer list, or of nothing for who has none. */
export default function Unsubscribe() {
  const hasList = landingOf(useSession()).to === 'customers'
  return (
    <>
      {hasList ? <CustomersPage /> : <TitleBlock title="E-mail notifications" crumbs={[{ label: 'Home' }]} />}
      <UnsubscribePrompt />
    </>
  )
}
