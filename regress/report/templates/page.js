(() => {
  "use strict";
  const form = document.getElementById("filter");
  const output = form.querySelector("output");
  const parts = [...document.querySelectorAll("[data-a],[data-t],[data-s]")];
  const rows = [...document.querySelectorAll("table.jobs tbody tr")];
  const cases = [...document.querySelectorAll("table.cases tbody tr")];
  const texts = new Map();
  const folds = [...document.querySelectorAll("details.jobs")].map((fold) => [fold, fold.open]);

  const text = (element) => {
    if (!texts.has(element)) texts.set(element, element.textContent.toLowerCase());
    return texts.get(element);
  };
  const has = (list, value) => list === undefined || !value || list.split(" ").includes(value);

  const apply = () => {
    const wanted = Object.fromEntries(new FormData(form));
    const words = wanted.text.trim().toLowerCase();
    const any = words || wanted.subject || wanted.test || wanted.status;
    for (const part of parts) {
      const { a, t, s } = part.dataset;
      const fits = has(a, wanted.subject) && has(t, wanted.test) && has(s, wanted.status)
        && (part.tagName !== "ARTICLE" || text(part).includes(words));
      part.classList.toggle("filtered", !fits);
    }
    let shown = 0;
    for (const row of rows) {
      const fits = text(row).includes(words);
      row.classList.toggle("filtered", !fits);
      shown += fits && !row.parentElement.classList.contains("filtered");
    }
    for (const row of cases) row.classList.toggle("filtered", !text(row).includes(words));
    for (const [fold, open] of folds) fold.open = any ? true : open;
    output.textContent = any ? `${shown} of ${rows.length} jobs` : "";
  };

  const copy = async (button) => {
    const code = button.parentElement.querySelector("code");
    try {
      await navigator.clipboard.writeText(code.textContent);
    } catch {
      getSelection().selectAllChildren(code);
      document.execCommand("copy");
    }
    button.textContent = "copied";
    setTimeout(() => { button.textContent = "copy"; }, 1500);
  };

  // A narrow screen shows a part of the waveform: begin with the failure.
  const show = (box) => {
    const image = box.querySelector("img");
    const seek = () => { box.scrollLeft = box.dataset.moment * image.clientWidth - 0.6 * box.clientWidth; };
    if (image.complete) seek();
    else image.addEventListener("load", seek);
  };

  document.querySelectorAll(".picture[data-moment]").forEach(show);
  form.hidden = false;
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  for (const button of document.querySelectorAll("button.copy")) {
    button.hidden = false;
    button.addEventListener("click", () => copy(button));
  }
})();
