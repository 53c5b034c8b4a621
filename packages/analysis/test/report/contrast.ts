/** Runs in a page: the texts whose colour is closer to what lies behind them than the eye can bear (WCAG, level AA). */
export const LOW_CONTRASTS = `(() => {
  const LEAST = 4.5;
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const toRgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const luminance = (rgb) => {
    const [red, green, blue] = rgb.map((part) =>
      part / 255 <= 0.03928 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const behind = (element) => {
    const rect = element.localName === "text" ? element.parentElement.querySelector(":scope > rect") : null;
    if (rect !== null && rect.parentElement.localName === "g") return toRgba(getComputedStyle(rect).fill);
    for (let at = element; at !== null; at = at.parentElement) {
      const colour = toRgba(getComputedStyle(at).backgroundColor);
      if (colour[3] === 255) return colour;
    }
    return [255, 255, 255];
  };
  for (const details of document.querySelectorAll("details")) details.open = true;
  return [...document.querySelectorAll("body *")].flatMap((element) => {
    const isText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== "");
    if (!isText || !element.checkVisibility() || element.closest("script, title") !== null) return [];
    const style = getComputedStyle(element);
    const colour = luminance(toRgba(element.localName === "text" ? style.fill : style.color));
    const ground = luminance(behind(element));
    const contrast = (Math.max(colour, ground) + 0.05) / (Math.min(colour, ground) + 0.05);
    return contrast < LEAST ? [contrast.toFixed(1) + " " + element.localName + " " + element.textContent.slice(0, 40)] : [];
  });
})()`;
