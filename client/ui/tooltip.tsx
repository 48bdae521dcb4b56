import { type ReactNode, useId, useState } from 'react'

/** Shows a text on hover and focus, until the person presses Escape. */
export function Tooltip({ text, children }: { text: string; children: (describedBy: string) => ReactNode }) {
  const id = useId()
  const [shown, setShown] = useState(false)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: people operate the control inside
    <span
      className="tooltip-anchor"
      onPointerEnter={() => setShown(true)}
      onPointerLeave={() => setShown(false)}
      onFocus={() => setShown(true)}
      onBlur={() => setShown(false)}
      onKeyDown={(event) => event.key === 'Escape' && setShown(false)}
    >
      {children(id)}
      <span role="tooltip" id={id} className="tooltip" data-shown={shown || undefined}>
        {text}
      </span>
    </span>
  )
}
