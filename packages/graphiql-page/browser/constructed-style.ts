import { useEffect } from "react";

interface ConstructedStyleProps {
  readonly styles: string;
}

/**
 * Stands in the bundle for the function of `react-style-singleton`, which writes a style element: the page's policy takes no style
 * from a script's hand, save those that are constructed (CSSOM, section 6.1).
 */
export function styleSingleton(): (props: ConstructedStyleProps) => null {
  return ConstructedStyle;
}

function ConstructedStyle({ styles }: ConstructedStyleProps): null {
  useEffect(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(styles);
    document.adoptedStyleSheets.push(sheet);
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    };
  }, [styles]);
  return null;
}
