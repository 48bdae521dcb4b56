import '../../style/shell.css'
import { useOtherPerson } from '../../session/same-person.ts'
import { useSessionWatch } from '../../session/use-session-watch.ts'
import { NewVersion } from './new-version.tsx'
import { OtherPerson } from './other-person.tsx'
import { SessionPrompt } from './session-prompt.tsx'

/** What watches over the portal while somebody works in it; shows itself only when there is something to say. */
export default function Attendants() {
  const { watch, state } = useSessionWatch()
  const other = useOtherPerson()
  return (
    <>
      <NewVersion />
      {other && <OtherPerson fullName={other.fullName} />}
      {state.expiring && <SessionPrompt watch={watch} state={state} />}
    </>
  )
}
