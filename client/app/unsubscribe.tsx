import { landingOf } from '#shared/landing.ts'
import { CustomersPage } from '../features/customers/customers-page.tsx'
import { UnsubscribePrompt } from '../features/notifications/unsubscribe-prompt.tsx'
import { useSession } from '../features/session/session.ts'
import { TitleBlock } from '../ui/title-block.tsx'

/** The target of a link in e-mails: asks on top of the customer list, or of an empty page for people without that list. */
export default function Unsubscribe() {
  const hasList = landingOf(useSession()).to === 'customers'
  return (
    <>
      {hasList ? <CustomersPage /> : <TitleBlock title="E-mail notifications" crumbs={[{ label: 'Home' }]} />}
      <UnsubscribePrompt />
    </>
  )
}
