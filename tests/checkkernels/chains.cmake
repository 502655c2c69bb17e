# Lists of point operations that the executor merges into one pass. There is one list for each kind of pass that has its
# own CUDA kernel. A pass has only tables, or a matrix with tables before and after it. Such a table is common to all
# channels, or there is one per channel. The first variable has lists for all formats, the second one for RGB.
set(chains "brightness value=10 | contrast factor=1.3 | gamma value=1.4 | levels black=5 white=90 | posterize levels=7"
           "brightness value=10 | gamma value=1.4 | saturation factor=1.3" "gamma value=1.4 | hue angle=40 | gamma value=0.7"
           "gamma value=1.4 | grayscale | gamma value=0.7" "gamma value=1.4 | depth bits=16" "gamma value=1.4 | depth bits=8"
           "saturation factor=2 | gamma value=1.4 | saturation factor=0.5")
set(chains_of_rgb "linear multiply=1.1,0.9,1.2 | saturation factor=2 | linear multiply=0.9,1.2,1.3"
                  "linear multiply=1.1,0.9,1.2 | grayscale" "saturation factor=2 | linear add=0.1,0.2,-0.1"
                  "linear multiply=1.1,0.9,1.2 | gamma value=1.4")
