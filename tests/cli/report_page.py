# SPDX-License-Identifier: MIT
"""Shared by the tests of withy reproduce: what must be true of any report that it leaves in a folder."""
import csv
import json
import re
import xml.etree.ElementTree as xml

VERDICTS = {"agrees", "explained", "differs", "measured"}
SVG = "{http://www.w3.org/2000/svg}"


def all_text(element):
    return " ".join("".join(element.itertext()).split())


def check_numbers(folder, report, fail):
    """Every row and every cell has a verdict, every chart a caption and its points."""
    for experiment in report["experiments"]:
        name, parts = experiment["name"], {part["name"] for part in experiment["parts"]}
        for row in experiment["findings"]:
            if row["verdict"] not in VERDICTS or row["part"] not in parts or not row["what"]:
                fail(f"{name}: got a row {row}, want a verdict and one of the parts {parts}")
        for table in experiment["tables"]:
            if any(cell["verdict"] not in VERDICTS for row in table["rows"] for cell in row["cells"]):
                fail(f"{name}, {table['title']}: want a verdict in every cell")
        for chart in experiment["charts"]:
            if len(chart["caption"]) < 20 or not chart["caption"].endswith("."):  # one that is cut off does not
                fail(f"{name}, {chart['name']}: got the caption '{chart['caption']}', want whole sentences")
            points = list(csv.reader(open(f"{folder}/{chart['name']}.csv")))
            if len(points) < 3 or len({len(point) for point in points}) != 1:
                fail(f"{chart['name']}.csv: want points with a curve, x and y, got {points[:2]}")
        if not experiment["not_remade"] or not all(item["reason"] for item in experiment["not_remade"]):
            fail(f"{name}: want what is not remade, with reasons, got {experiment['not_remade']}")
        for kind, of_paper in ("published", True), ("checks", False):
            rows = [row["verdict"] for row in experiment["findings"] if bool(row["where"]) == of_paper]
            cells = [cell["verdict"] for table in experiment["tables"] for row in table["rows"] for cell in row["cells"]
                     if of_paper and cell["published"] is not None]
            counted = {verdict: (rows + cells).count(verdict) for verdict in VERDICTS}
            if experiment[kind] != counted:
                fail(f"{name}, {kind}: got {experiment[kind]}, want {counted}")


def check_page(folder, report, fail):
    """The page is XML, asks nothing of a network, and has all that the JSON file has."""
    text = open(f"{folder}/report.html").read()
    page = xml.fromstring(text.replace("<!DOCTYPE html>", ""))
    for element in page.iter():
        for key, value in element.attrib.items():
            if key in ("href", "src") and not re.fullmatch(r"#[a-z0-9-]+|[a-z0-9-]+\.csv", value):
                fail(f"report.html: got {key}={value}, want places within the page and CSV files beside it")
    if re.search(r"@import|url\(|<script|https?://(?!www\.w3\.org/2000/svg\")", text):
        fail("report.html: got a reference to somewhere else, want none")
    names = [element.get("id") for element in page.iter() if element.get("id")]
    links = [link.get("href")[1:] for link in page.iter("a") if link.get("href").startswith("#")]
    twice = {name for name in names if names.count(name) > 1}
    if twice or not set(links) <= set(names):
        fail(f"report.html: want one place for each link, got {twice} twice, {set(links) - set(names)} nowhere")
    summary = page.find(".//table[@id='summary']")
    papers = [all_text(row) for row in summary.find("tbody")]
    shown = all_text(page)
    for experiment in report["experiments"]:
        if not any(f"withy reproduce {experiment['name']}" in paper for paper in papers):
            fail(f"report.html: want {experiment['name']} with its command in the summary, got {papers}")
        for part in experiment["parts"]:
            if f"withy reproduce {experiment['name']}/{part['name']}" not in shown:
                fail(f"report.html: want the command of {experiment['name']}/{part['name']}")
        for row in experiment["findings"]:
            if " ".join(row["what"].split()) not in shown:
                fail(f"report.html: want a row '{row['what']}'")
        for item in experiment["not_remade"]:
            if f"{item['what']}: {item['reason']}" not in shown:
                fail(f"report.html: want the line '{item['what']}' of what is not remade")
        if shown.count("Not remade:"):
            fail("report.html: want 'Not remade' as a heading, not in front of every line")
    check_figures(page, report, fail)


def check_figures(page, report, fail):
    figures = {figure.get("id"): figure for figure in page.iter("figure")}
    charts = [chart for experiment in report["experiments"] for chart in experiment["charts"]]
    if set(figures) != {chart["name"] for chart in charts}:
        fail(f"report.html: got figures {sorted(figures)}, want {sorted(chart['name'] for chart in charts)}")
    for chart in charts:
        svg, caption = figures[chart["name"]].find(SVG + "svg"), figures[chart["name"]].find("figcaption")
        lines = svg.findall(SVG + "polyline") if svg is not None else []
        if not lines or any(len(line.get("points").split()) < 2 for line in lines):
            fail(f"{chart['name']}: got {len(lines)} lines, want one or more, each with two points or more")
        if svg is not None and svg.get("aria-label") != chart["title"]:
            fail(f"{chart['name']}: got the label '{svg.get('aria-label')}', want '{chart['title']}'")
        want = " ".join(chart["caption"].split())
        if caption is None or not all_text(caption).startswith(want) or f"{chart['name']}.csv" not in all_text(caption):
            fail(f"{chart['name']}: want the caption '{want}' with the name of the CSV file")


def check_report(folder, fail):
    """All of it; gives what report.json has."""
    report = json.load(open(f"{folder}/report.json"))
    check_numbers(folder, report, fail)
    check_page(folder, report, fail)
    return report
