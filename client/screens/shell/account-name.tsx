import { initials } from '../../lib/format.ts'

/** What the account menu's button shows. */
export function AccountName({ fullName }: { fullName: string }) {
  return (
    <>
      <span className="avatar" data-initials={initials(fullName)} />
      <span className="sr-only">Account of </span>
      <span className="account-name">{fullName}</span>
    </>
  )
}
