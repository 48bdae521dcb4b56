import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import { usePlacement } from './input/use-popup.ts'

/** Shows a text on hover and focus, until the person presses Escape. */
export function Tooltip({ text, children }: { text: string; children: (describedBy: string) => ReactNode }) {
  const id = useId()
  const anchor = useRef<HTMLSpanElement>(null)
  const tip = useRef<HTMLSpanElement>(null)
  const [shown, setShown] = useState(false)
  usePlacement(shown, anchor, tip, 'tip')
  useLayoutEffect(() => {
    if (shown) tip.current?.showPopover()
    else tip.current?.hidePopover()
  }, [shown])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: people operate the control inside
    <span
      ref={anchor}
      className="tooltip-anchor"
      onPointerEnter={() => setShown(true)}
      onPointerLeave={() => setShown(false)}
      onFocus={() => setShown(true)}
      onBlur={() => setShown(false)}
      onKeyDown={(event) => event.key === 'Escape' && setShown(false)}
    >
      {children(id)}
      <span ref={tip} role="tooltip" id={id} popover="manual" className="tooltip">
        {text}
      </span>
    </span>
  )
}
