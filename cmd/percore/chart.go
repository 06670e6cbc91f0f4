package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"image/color"
	"io"
	"io/fs"
	"math"
	"os"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A chartFile is a file to draw into.
type chartFile struct{ format, name string }

// check returns an error unless the file can be written. It leaves everything as it was.
func (c chartFile) check() error {
	_, err := os.Stat(c.name)
	f, openErr := os.OpenFile(c.name, os.O_WRONLY|os.O_CREATE, 0o666)
	if openErr != nil {
		return c.complaint(openErr)
	}
	f.Close()
	if errors.Is(err, fs.ErrNotExist) {
		os.Remove(c.name)
	}
	return nil
}

// complaint returns an error that says what to do about err.
func (c chartFile) complaint(err error) error {
	return fmt.Errorf("%s: %w; give -%s a file that can be written", quote(c.name), cause(err), c.format)
}

// draw writes the file.
func (c chartFile) draw(r results) error {
	var b bytes.Buffer
	if err := drawChart(&b, r, c.format); err != nil {
		return err
	}
	// Where there is no Liberation Sans, fonts with the same widths.
	drawn := bytes.ReplaceAll(b.Bytes(), []byte("font-family:Liberation Sans"), []byte("font-family:Liberation Sans,Arial,Helvetica,sans-serif"))
	if err := os.WriteFile(c.name, drawn, 0o666); err != nil {
		return c.complaint(err)
	}
	return nil
}

// Sizes of the chart. It is two panels wide, so that it can be read in the width of a page.
const (
	panelWidth  = 5 * vg.Inch
	panelHeight = 3.6 * vg.Inch
	titleHeight = 0.6 * vg.Inch
)

// chartKey explains the names of lines that nobody can guess, as benchUsage does.
const chartKey = "go: the standard library; std: percore with the standard library's permutation"

// drawChart draws throughput over the size of messages, a panel for each benchmark.
func drawChart(w io.Writer, r results, format string) error {
	var panels []*plot.Plot
	for figures := range benchmarksOf(r.Figures) {
		if figures[0].Unit != megabytes {
			continue
		}
		p, err := newPanel(figures)
		if err != nil {
			return err
		}
		panels = append(panels, p)
	}
	if len(panels)%2 != 0 {
		panels = append(panels, nil)
	}
	rows := slices.Collect(slices.Chunk(panels, 2))

	canvas, err := draw.NewFormattedCanvas(2*panelWidth, vg.Length(len(rows))*panelHeight+titleHeight, format)
	if err != nil {
		return err
	}
	page := draw.New(canvas)
	page.SetColor(color.White)
	page.Fill(page.Rectangle.Path())
	title := draw.TextStyle{Color: color.Black, Font: sans(14), XAlign: draw.XCenter, YAlign: draw.YTop, Handler: plot.DefaultTextHandler}
	page.FillText(title, vg.Point{X: page.Center().X, Y: page.Max.Y - 8}, fmt.Sprintf("%s, %s %s/%s", r.Core, r.Go, r.GOOS, r.GOARCH))
	title.Font = sans(12)
	page.FillText(title, vg.Point{X: page.Center().X, Y: page.Max.Y - 28}, chartKey)

	tiles := draw.Tiles{Rows: len(rows), Cols: 2, PadTop: 8, PadBottom: 8, PadLeft: 8, PadRight: 16, PadX: 16, PadY: 16}
	for y, canvases := range plot.Align(rows, tiles, draw.Crop(page, 0, 0, 0, -titleHeight)) {
		for x, c := range canvases {
			if p := rows[y][x]; p != nil {
				p.Draw(c)
			}
		}
	}
	_, err = canvas.WriteTo(w)
	return err
}

// sans returns the font of all texts.
func sans(size vg.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
}

// newPanel returns the plot of one benchmark.
func newPanel(figures []figure) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text = figures[0].Benchmark
	p.Title.TextStyle.Font = sans(14)
	p.Title.Padding = 6
	p.X.Label.Text = "bytes"
	p.Y.Label.Text = megabytes
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Scale = plot.LogScale{}
		axis.Label.TextStyle.Font = sans(12)
		axis.Tick.Label.Font = sans(11)
	}
	p.X.Tick.Marker = plot.TickerFunc(sizeTicks)
	p.Y.Tick.Marker = plot.TickerFunc(speedTicks)
	p.Legend.TextStyle.Font = sans(12)
	p.Legend.ThumbnailWidth = 36
	p.Legend.Padding = 2
	p.Legend.XOffs, p.Legend.YOffs = -8, 8
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = paleGray, paleGray
	p.Add(grid)

	lines := slices.Collect(kernelsOf(figures))
	// The order of the legend is that of the lines at the right.
	slices.SortStableFunc(lines, func(a, b []figure) int { return cmp.Compare(b[len(b)-1].Best, a[len(a)-1].Best) })
	for _, figures := range lines {
		var points plotter.XYs
		for _, f := range figures {
			points = append(points, plotter.XY{X: float64(f.Size), Y: f.Best})
		}
		line, marks, err := plotter.NewLinePoints(points)
		if err != nil {
			return nil, err
		}
		s := styleOf(figures[0].Kernel)
		line.Width, line.Color, line.Dashes = 2, s.color, s.dashes
		marks.Color, marks.Shape, marks.Radius = s.color, s.shape, 3.5
		p.Add(line, marks)
		p.Legend.Add(figures[0].Kernel, line, marks)
	}
	p.Y.Min /= 1.2
	p.Y.Max *= 1.2
	// Most lines rise, and the lower right corner is free for the legend. Where they don't, the axis begins lower.
	const legend = 0.5 // of the height
	lowest := lines[len(lines)-1]
	p.Y.Min = min(p.Y.Min, math.Pow(lowest[len(lowest)-1].Best*math.Pow(p.Y.Max, -legend), 1/(1-legend)))
	return p, nil
}

// A style sets a line apart by its color and by its marks.
type style struct {
	color  color.Color
	shape  draw.GlyphDrawer
	dashes []vg.Length
}

// Okabe and Ito's colors can be told apart by the color-blind too. What percore is compared with is grey.
var (
	paleGray = color.Gray{Y: 0xe0} // of the grid
	gray     = color.RGBA{0x80, 0x80, 0x80, 0xff}
	blue     = color.RGBA{0x00, 0x72, 0xb2, 0xff}
	orange   = color.RGBA{0xe6, 0x9f, 0x00, 0xff}
	green    = color.RGBA{0x00, 0x9e, 0x73, 0xff}
	red      = color.RGBA{0xd5, 0x5e, 0x00, 0xff}
	purple   = color.RGBA{0xcc, 0x79, 0xa7, 0xff}
	black    = color.RGBA{0x00, 0x00, 0x00, 0xff}
)

// styleOf returns the style of a kernel or library, the same in all panels.
func styleOf(kernel string) style {
	switch kernel {
	case goLibrary:
		return style{color: gray, shape: draw.CircleGlyph{}}
	case "circl", "x/crypto":
		return style{color: gray, shape: draw.CrossGlyph{}, dashes: []vg.Length{5, 3}}
	case "std":
		return style{color: purple, shape: draw.RingGlyph{}}
	case "generic", "single":
		return style{color: green, shape: draw.BoxGlyph{}}
	case "vaes256", "bmi2", "gpr", "avx2":
		return style{color: orange, shape: draw.PyramidGlyph{}}
	case "vaes512", "avx512", "simd":
		return style{color: blue, shape: draw.TriangleGlyph{}}
	}
	return style{color: black, shape: draw.PlusGlyph{}}
}

// sizeTicks are at every other power of two.
func sizeTicks(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	for v := 16.0; v <= high; v *= 4 {
		if v < low {
			continue
		}
		label := fmt.Sprint(v)
		if v >= 1024 {
			label = fmt.Sprintf("%gK", v/1024)
		}
		ticks = append(ticks, plot.Tick{Value: v, Label: label})
	}
	return ticks
}

// speedTicks are at 1, 2 and 5 times the powers of ten.
func speedTicks(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	for power := 0.1; power <= high; power *= 10 {
		for _, digit := range []float64{1, 2, 5} {
			if v := digit * power; v >= low && v <= high {
				ticks = append(ticks, plot.Tick{Value: v, Label: strconv.FormatFloat(v, 'g', 6, 64)})
			}
		}
	}
	return ticks
}
